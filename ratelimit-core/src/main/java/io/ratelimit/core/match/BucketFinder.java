package io.ratelimit.core.match;

import io.ratelimit.core.bucket.DirectBuckets;
import io.ratelimit.store.BucketSpec;
import org.jspecify.annotations.Nullable;

/** Finds the buckets that a decision may ask without going through the store. Thread-safe. */
@FunctionalInterface
public interface BucketFinder {

    /** For a store that must always be asked itself. */
    BucketFinder NONE = spec -> null;

    /**
     * The buckets of a spec.
     *
     * @param spec what they are made from
     * @return the buckets, or null where the store must be asked
     */
    @Nullable
    DirectBuckets of(BucketSpec spec);
}
