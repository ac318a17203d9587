package io.ratelimit.sample;

import java.net.URL;
import org.jspecify.annotations.Nullable;

/**
 * What an application sees of its container: the servlet API and the container itself, and none of the libraries that
 * the tests happen to have on their class path.
 */
final class ContainerClasses extends ClassLoader {

    private final ClassLoader all;

    ContainerClasses(ClassLoader all) {
        super(ClassLoader.getPlatformClassLoader());
        this.all = all;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        if (name.startsWith("jakarta.") || name.startsWith("org.apache.")) {
            return all.loadClass(name);
        }
        throw new ClassNotFoundException(name);
    }

    /** Tomcat reads one of its own classes so. */
    @Override
    protected @Nullable URL findResource(String name) {
        return name.startsWith("org/apache/catalina/") ? all.getResource(name) : null;
    }
}
