package io.ratelimit.core.setting;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A file that a setting names, such as a library's own configuration.
 *
 * @param location {@code classpath:NAME}, or a path
 */
public record NamedFile(String location) {

    private static final String CLASSPATH = "classpath:";

    /**
     * Opens it. What is on the class path is looked for by the thread's context class loader first.
     *
     * @param owner of whose class path it may be too
     * @return its content, to be closed
     * @throws IOException if there is no such file, or it cannot be read
     */
    public InputStream open(Class<?> owner) throws IOException {
        if (!location.startsWith(CLASSPATH)) {
            try {
                return Files.newInputStream(Path.of(location));
            } catch (InvalidPathException e) {
                throw new IOException(e);
            }
        }
        String name = location.substring(CLASSPATH.length());
        InputStream found = find(name, Thread.currentThread().getContextClassLoader());
        found = found == null ? find(name, owner.getClassLoader()) : found;
        if (found == null) {
            throw new FileNotFoundException("the class path has no " + name);
        }
        return found;
    }

    private static @Nullable InputStream find(String name, @Nullable ClassLoader loader) {
        return loader == null ? null : loader.getResourceAsStream(name);
    }
}
