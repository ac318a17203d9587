package io.ratelimit.core.extension;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is found on the class path by {@link ServiceLoader}. */
public final class Providers {

    private static final Logger LOG = LoggerFactory.getLogger(Providers.class);

    /** Where the class path itself cannot be read, each look at it fails. */
    private static final int MOST_BROKEN = 16;

    private final @Nullable ClassLoader classLoader;

    /**
     * Looks in one class loader and its parents.
     *
     * @param classLoader the class loader, or null for the system's
     */
    public Providers(@Nullable ClassLoader classLoader) {
        this.classLoader = classLoader;
    }

    /**
     * Makes one of each provider. One that cannot be loaded, as when its jar is there twice or a part of it is missing,
     * is reported and left out.
     *
     * @param <T> the interface
     * @param type the interface
     * @param description what a provider is, for the report, such as {@code A kind of shared store}
     * @return the providers in the order of the class path
     */
    public <T> List<T> find(Class<T> type, String description) {
        List<T> found = new ArrayList<>();
        Iterator<T> each = ServiceLoader.load(type, classLoader).iterator();
        int broken = 0;
        while (broken < MOST_BROKEN) {
            try {
                if (!each.hasNext()) {
                    break;
                }
                found.add(each.next());
            } catch (ServiceConfigurationError | LinkageError e) {
                broken++;
                LOG.error("{} on the class path cannot be used: {}", description, e.toString());
            }
        }
        return List.copyOf(found);
    }
}
