package io.ratelimit.jaxrs;

import jakarta.ws.rs.core.Configuration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Annotations of ours on components that serve no requests, such as filters and mappers. Thread-safe. */
final class StrayAnnotations {

    private static final Logger LOG = LoggerFactory.getLogger(RateLimitFeature.class);

    private final AtomicBoolean reported = new AtomicBoolean();

    /** Reports them, the first time that it is called. */
    void report(@Nullable Configuration configuration) {
        if (configuration == null || !reported.compareAndSet(false, true)) {
            return;
        }
        Stream<Class<?>> components = Stream.concat(
                configuration.getClasses().stream(),
                configuration.getInstances().stream().map(Object::getClass));
        components
                .distinct()
                .filter(StrayAnnotations::isStray)
                .forEach(component -> LOG.warn(
                        "The limit annotation on {} is ignored, because it is no resource: annotate the classes or"
                                + " methods of resources, or write a rule for the paths",
                        component));
    }

    private static boolean isStray(Class<?> component) {
        ResourceType type = new ResourceType(component);
        return type.hasAnnotations() && !type.isResource();
    }
}
