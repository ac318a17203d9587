package io.ratelimit.core;

import io.ratelimit.RateLimitListener;
import io.ratelimit.TimeSource;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.BucketStoreFactory;
import io.ratelimit.store.StoreException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The kinds of shared stores on the class path, found by {@link ServiceLoader}. */
final class StoreFactories {

    private static final Logger LOG = LoggerFactory.getLogger(StoreFactories.class);

    private final List<BucketStoreFactory> factories;

    StoreFactories(@Nullable ClassLoader classLoader) {
        this.factories = ServiceLoader.load(BucketStoreFactory.class, classLoader).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
    }

    Set<String> settingNames() {
        Set<String> names = new TreeSet<>();
        factories.forEach(factory -> names.addAll(factory.settings()));
        return names;
    }

    /**
     * Makes the store that settings ask for.
     *
     * @return the store; null where no setting asks for one, or where it cannot be started, which is reported
     * @throws IllegalArgumentException if a setting of the store has no valid value
     */
    @Nullable
    BucketStore create(Map<String, String> settings, TimeSource timeSource, RateLimitListener listener) {
        for (BucketStoreFactory factory : factories) {
            Map<String, String> own = new LinkedHashMap<>(settings);
            own.keySet().retainAll(factory.settings());
            if (!own.isEmpty()) {
                return start(factory, own, timeSource, listener);
            }
        }
        return null;
    }

    private static @Nullable BucketStore start(
            BucketStoreFactory factory, Map<String, String> own, TimeSource timeSource, RateLimitListener listener) {
        try {
            return factory.create(own, timeSource);
        } catch (StoreException e) {
            LOG.error("This host goes ALONE, each limit holds for it by itself: {}", e.getMessage());
            listener.onFailure(e.kind(), e);
            return null;
        }
    }
}
