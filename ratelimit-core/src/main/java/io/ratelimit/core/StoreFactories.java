package io.ratelimit.core;

import io.ratelimit.RateLimitListener;
import io.ratelimit.TimeSource;
import io.ratelimit.core.extension.Providers;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.BucketStoreFactory;
import io.ratelimit.store.StoreException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The kinds of shared stores on the class path, found by {@link java.util.ServiceLoader}. */
final class StoreFactories {

    private static final Logger LOG = LoggerFactory.getLogger(StoreFactories.class);

    private final List<BucketStoreFactory> factories;

    StoreFactories(@Nullable ClassLoader classLoader) {
        this.factories = new Providers(classLoader).find(BucketStoreFactory.class, "A kind of shared store");
    }

    Set<String> settingNames() {
        Set<String> names = new TreeSet<>();
        factories.forEach(factory -> names.addAll(factory.settings()));
        return names;
    }

    /**
     * Makes the store that settings ask for.
     *
     * @param host what settings say of how rules use the store
     * @return the store; null where no setting asks for one. One that cannot be started is reported, and fails each
     *     charge until a {@linkplain RestartedStore#restart() later start} succeeds
     * @throws IllegalArgumentException if a setting of the store has no valid value, or asks for what such a store has not
     */
    @Nullable
    BucketStore create(
            Map<String, String> settings, StorePolicy host, TimeSource timeSource, RateLimitListener listener) {
        Map<String, String> own = new TreeMap<>(settings);
        own.keySet().retainAll(settingNames());
        if (own.isEmpty()) {
            return null;
        }
        BucketStoreFactory factory = kindOf(own.keySet());
        SharingWays.check(factory.onlyBroadcasts(), host);
        return start(factory, own, timeSource, listener);
    }

    /** Kinds have settings in common, so that it is all of them together that tell which one is meant. */
    private BucketStoreFactory kindOf(Set<String> given) {
        List<BucketStoreFactory> possible = factories.stream()
                .filter(factory -> factory.settings().containsAll(given))
                .toList();
        if (possible.isEmpty()) {
            throw new IllegalArgumentException(
                    "settings " + String.join(", ", given)
                            + ": they ask for shared stores of different kinds, of which a host has one; leave the others' out");
        }
        return possible.stream()
                .filter(factory -> given.containsAll(factory.requiredSettings()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("settings " + String.join(", ", given)
                        + ": the shared store needs "
                        + String.join(", ", possible.get(0).requiredSettings())
                        + " too"));
    }

    private static BucketStore start(
            BucketStoreFactory factory, Map<String, String> own, TimeSource timeSource, RateLimitListener listener) {
        try {
            return create(factory, own, timeSource);
        } catch (StoreException e) {
            LOG.error(
                    "This host goes ALONE, {}; the start of the shared store is tried again every {} s: {}",
                    factory.onlyBroadcasts()
                            ? "deciding from its own buckets"
                            : "onFailure answers for all shared limits",
                    RateLimitEngine.RESTART_SECONDS,
                    e.getMessage());
            listener.onFailure(e.kind(), e);
            return new RestartedStore(
                    () -> create(factory, own, timeSource), factory.broadcasts(), factory.onlyBroadcasts(), e);
        }
    }

    /** What is wrong with settings is for the application to hear; all else is a store that does not start. */
    private static BucketStore create(BucketStoreFactory factory, Map<String, String> own, TimeSource timeSource) {
        try {
            return factory.create(own, timeSource);
        } catch (IllegalArgumentException | StoreException e) {
            throw e;
        } catch (Throwable e) {
            throw new StoreException("store-error", e.toString());
        }
    }
}
