package io.ratelimit.core.broadcast;

import com.google.common.collect.MapMaker;
import io.ratelimit.core.bucket.LocalBucketStore;
import io.ratelimit.core.wire.SpecForm;
import io.ratelimit.store.BucketSpec;
import java.util.UUID;
import java.util.concurrent.ConcurrentMap;

/** Says of clients what messages say of them. Thread-safe. */
final class ItemMaker {

    /** Says nothing of how a bucket stands. */
    static final long[][] NO_STATES = new long[0][];

    /** Whoever begins to hear of an epoch that is older needs to know how the bucket stands: of a younger one, he hears all. */
    private static final long HEARD_WHOLE_NANOS = 1_000_000_000L;

    private final LocalBucketStore local;
    private final ConcurrentMap<BucketSpec, SpecForm> forms =
            new MapMaker().weakKeys().makeMap();

    /**
     * Begins to say how buckets stand.
     *
     * @param local the buckets of this host
     */
    ItemMaker(LocalBucketStore local) {
        this.local = local;
    }

    SpecForm formOf(BucketSpec bucket) {
        return forms.computeIfAbsent(bucket, SpecForm::of);
    }

    /** What the bucket has here; nothing where it is full. */
    long[][] statesOf(BucketSpec bucket, UUID key) {
        long[][] states = local.departing(NamedClient.of(key).identifier(), bucket);
        return states == null ? NO_STATES : states;
    }

    /** What was spent here of a bucket. */
    ConsumptionNews.Item of(Consumption consumption, long nanos) {
        BucketSpec bucket = consumption.bucket();
        boolean isHeardWhole = consumption.age(nanos) < HEARD_WHOLE_NANOS;
        // Before the sum: what is in the sum may be missing in the state, but never the reverse, or it were lost.
        long[][] states = isHeardWhole ? NO_STATES : statesOf(bucket, consumption.key());
        Consumption.Told told = consumption.tell(nanos);
        return new ConsumptionNews.Item(
                formOf(bucket),
                consumption.key(),
                told.epoch(),
                told.epochNanos(),
                told.tally(),
                told.ageNanos(),
                states);
    }
}
