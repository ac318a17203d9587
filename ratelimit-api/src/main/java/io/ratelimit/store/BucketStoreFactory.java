package io.ratelimit.store;

import io.ratelimit.TimeSource;
import java.util.Map;
import java.util.Set;

/**
 * Makes stores of one kind. Found by {@link java.util.ServiceLoader}; needs a public constructor without parameters.
 */
public interface BucketStoreFactory {

    /**
     * The settings that this factory understands, by the names of init-params and flags. A host that gives settings
     * of stores which are all among these, and all {@linkplain #requiredSettings() required} ones, asks for this kind.
     *
     * @return names in lowerCamel, such as {@code cluster} and {@code members}
     */
    Set<String> settings();

    /**
     * The settings without which there is no store of this kind.
     *
     * @return some of {@link #settings()}; none by default
     */
    default Set<String> requiredSettings() {
        return Set.of();
    }

    /**
     * Whether stores of this kind have a {@linkplain BucketStore#broadcaster() broadcaster}, which must be known before
     * there is a store: where it cannot be started yet, rules whose hosts decide by themselves are in force all the same.
     *
     * @return true if hosts tell one another what was spent; false, by default, if they add it up in the store
     */
    default boolean broadcasts() {
        return false;
    }

    /**
     * Whether stores of this kind {@linkplain BucketStore#onlyBroadcasts() only broadcast}, which must be known before there
     * is a store.
     *
     * @return true if hosts only tell one another what was spent; false by default
     */
    default boolean onlyBroadcasts() {
        return false;
    }

    /**
     * Makes a store.
     *
     * @param settings those of {@link #settings()} that were given
     * @param timeSource the host's clocks
     * @return the store, connected
     * @throws IllegalArgumentException if a setting has no valid value; the message names the setting, the value and
     *     what would be right
     * @throws StoreException if the store cannot be reached or started; the message says what to do
     */
    BucketStore create(Map<String, String> settings, TimeSource timeSource);
}
