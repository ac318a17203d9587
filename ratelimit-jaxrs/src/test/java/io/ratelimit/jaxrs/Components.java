package io.ratelimit.jaxrs;

import jakarta.ws.rs.core.Application;
import java.util.Set;

/** An application of classes and instances. */
final class Components extends Application {

    private final Set<Class<?>> classes;
    private final Set<Object> instances;

    private Components(Set<Class<?>> classes, Set<Object> instances) {
        this.classes = classes;
        this.instances = instances;
    }

    static Components of(Class<?>... classes) {
        return new Components(Set.of(classes), Set.of());
    }

    Components with(Object... more) {
        return new Components(classes, Set.of(more));
    }

    @Override
    public Set<Class<?>> getClasses() {
        return classes;
    }

    @Override
    @SuppressWarnings("deprecation")
    public Set<Object> getSingletons() {
        return instances;
    }
}
