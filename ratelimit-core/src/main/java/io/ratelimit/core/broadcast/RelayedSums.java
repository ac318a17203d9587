package io.ratelimit.core.broadcast;

import io.ratelimit.core.wire.SpecForm;
import io.ratelimit.store.BucketSpec;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The sums that this host passes on, one for each bucket. Thread-safe. */
final class RelayedSums {

    private final ConcurrentMap<Place, RelayedSum> byPlace = new ConcurrentHashMap<>();
    private final AtomicLong epochs = new AtomicLong();
    private final Room room;

    /**
     * Passes nothing on yet.
     *
     * @param most of how many buckets sums are passed on
     */
    RelayedSums(int most) {
        this.room = new Room(
                most,
                "What clients spend of more than {} buckets is not passed on to other hosts until some are forgotten");
    }

    /**
     * The sum of a bucket, which begins with nothing.
     *
     * @param bucket the bucket, by the limits that are in force
     * @param form the same, as messages have it
     * @param key whose
     * @return null if there is no room for it
     */
    @Nullable
    RelayedSum of(BucketSpec bucket, SpecForm form, UUID key, long nanos) {
        Place place = new Place(bucket.name(), key);
        RelayedSum known = byPlace.get(place);
        if (known == null) {
            if (room.isFullAt(byPlace.size())) {
                return null;
            }
            known = byPlace.computeIfAbsent(
                    place, made -> new RelayedSum(made, bucket, form, epochs::incrementAndGet, nanos));
        }
        known.follow(bucket, form);
        return known;
    }

    List<RelayedSum> matching(Predicate<RelayedSum> which) {
        return byPlace.values().stream().filter(which).toList();
    }

    /** Forgets those that nothing is added to. */
    void sweep(long nanos) {
        // Longer than a client is in one epoch without anything being added: it would be added as a whole.
        byPlace.values().removeIf(sum -> sum.isIdle(nanos, HeardConsumption.KEPT_NANOS));
        room.leaves(byPlace.size());
    }
}
