package io.ratelimit.core.broadcast;

import com.google.common.math.LongMath;
import io.ratelimit.core.bucket.Refilling;
import io.ratelimit.core.bucket.SpentElsewhere;
import io.ratelimit.store.BucketSpec;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * What this host has heard of others. Of a sum, it counts what is more than it has heard before, so that messages that
 * come twice or in another order do no harm. After a standstill it knows for how long nothing is known of a bucket.
 * Thread-safe.
 */
final class HeardConsumption {

    /** Longer than a sender remembers a client who does not come. */
    static final long KEPT_NANOS = 60_000_000_000L;

    /**
     * The last of it.
     *
     * @param settledNanos until when what refilled was set against what had been spent
     * @param whole whether all is known that was spent before
     */
    private record Heard(long epoch, Tally tally, long nanos, long settledNanos, boolean whole) {}

    private final ConcurrentMap<Source, Heard> places = new ConcurrentHashMap<>();
    private final long listeningSince;
    private final Room room;

    /**
     * Begins to listen.
     *
     * @param nanos the time
     * @param mostPlaces how many buckets of clients and hosts are remembered; of others nothing is heard
     */
    HeardConsumption(long nanos, int mostPlaces) {
        this.listeningSince = nanos;
        this.room = new Room(
                mostPlaces, "What other hosts tell of more than {} buckets is not heard until some are forgotten");
    }

    /**
     * What follows from a message about a client.
     *
     * @param spent what was spent there that is not accounted for yet
     * @param returned tokens that have come back there
     * @param standsAsThere whether the bucket has no more here than there, if the message says how it stands: what was spent
     *     before this host began to listen is only in that
     */
    record News(SpentElsewhere spent, long returned, boolean standsAsThere) {

        private static final News NOTHING = new News(SpentElsewhere.NOTHING, 0, false);

        /** What is to be passed on of it, less what has refilled during a standstill, which is forgiven everywhere. */
        Tally toPassOn(BucketSpec bucket) {
            long standstill = spent.standstillNanos();
            long forgiven = standstill == 0 ? 0 : new Refilling(bucket).atMost(standstill);
            return new Tally(Math.max(0, spent.tokens() - forgiven), returned);
        }
    }

    /**
     * Hears of a client.
     *
     * @param origin the host that tells
     * @param bucket the bucket
     * @param item what it tells
     * @param delivery how the message has come
     */
    News hear(long origin, BucketSpec bucket, ConsumptionNews.Item item, Delivery delivery) {
        News[] news = {News.NOTHING};
        Source source = new Source(origin, bucket.name(), item.key());
        if (!places.containsKey(source) && room.isFullAt(places.size())) {
            // Not remembered, the whole sum would be new each time.
            return News.NOTHING;
        }
        places.compute(source, (place, before) -> {
            Settlement settled = settle(new Refilling(bucket), item, before, delivery);
            boolean whole = before == null ? isHeardWhole(item, delivery) : before.whole;
            boolean hasState = item.states().length > 0 && delivery.tellsStates();
            news[0] = new News(settled.spent(), settled.returned(), !whole);
            return kept(
                    item,
                    before,
                    new Heard(item.epoch(), item.tally(), delivery.nanos(), settled.untilNanos(), whole || hasState));
        });
        return news[0];
    }

    private static Heard kept(ConsumptionNews.Item item, @Nullable Heard before, Heard now) {
        return before != null && item.compareWith(before.epoch, before.tally) < 0
                // Kept alive by what says less, a sum that is wrong would hide all others for ever.
                ? new Heard(before.epoch, before.tally, before.nanos, now.settledNanos, now.whole)
                : now;
    }

    /** Whether this host has listened for as long as the epoch lasts. */
    private boolean isHeardWhole(ConsumptionNews.Item item, Delivery delivery) {
        return age(item, delivery) < Math.min(KEPT_NANOS, delivery.nanos() - listeningSince);
    }

    private static long age(ConsumptionNews.Item item, Delivery delivery) {
        return LongMath.saturatedAdd(item.epochNanos(), delivery.underWayNanos());
    }

    /**
     * What follows from a message.
     *
     * @param returned tokens that have come back
     * @param untilNanos until when that settles what has refilled
     */
    private record Settlement(SpentElsewhere spent, long returned, long untilNanos) {}

    private Settlement settle(
            Refilling refilling, ConsumptionNews.Item item, @Nullable Heard before, Delivery delivery) {
        long now = delivery.nanos();
        long age = age(item, delivery);
        if (before == null) {
            return isHeardWhole(item, delivery)
                    ? forgive(refilling, item, item.tally(), now - age, delivery)
                    : new Settlement(SpentElsewhere.NOTHING, 0, delivery.sentNanos());
        }
        if (item.epoch() > before.epoch) {
            long begun = now - Math.min(age, KEPT_NANOS);
            long since = begun - before.settledNanos > 0 ? begun : before.settledNanos;
            return forgive(refilling, item, item.tally(), since, delivery);
        }
        if (item.compareWith(before.epoch, before.tally) > 0) {
            return forgive(refilling, item, item.tally().minus(before.tally), before.settledNanos, delivery);
        }
        return new Settlement(SpentElsewhere.NOTHING, 0, delivery.isLate() ? before.settledNanos : now);
    }

    /**
     * Whether the bucket was full here during a standstill is not known any more: what can have refilled has, so that nobody
     * is refused for what others let pass long ago. But it has only once: of messages that were under way meanwhile, each
     * uses up some of that time, and the first one that was sent after it all of the rest.
     */
    private static Settlement forgive(
            Refilling refilling, ConsumptionNews.Item item, Tally more, long sinceNanos, Delivery delivery) {
        // What has come back of it was never spent, as far as this host is concerned.
        long tokens = Math.max(0, more.net());
        long standstill = delivery.standstill(sinceNanos);
        // For what was under way during a standstill, that time is accounted for.
        long wayNanos = standstill > 0 || delivery.isLate() ? 0 : delivery.underWayNanos();
        long ageNanos = LongMath.saturatedAdd(item.ageNanos(), wayNanos);
        SpentElsewhere spent = new SpentElsewhere(tokens, ageNanos, standstill);
        long usedNanos = delivery.isLate() ? usedNanos(refilling, tokens, standstill) : standstill;
        long returned = standstill == 0 ? Math.max(0, -more.net()) : 0;
        return new Settlement(spent, returned, standstill == 0 ? delivery.nanos() : sinceNanos + usedNanos);
    }

    /** How much of a standstill it takes to refill tokens: all of it, if they are more than that. */
    private static long usedNanos(Refilling refilling, long tokens, long standstill) {
        long refilled = refilling.atMost(standstill);
        return refilled > tokens ? (long) ((double) standstill * tokens / refilled) : standstill;
    }

    /** Forgets clients of whom nothing was heard for a while. */
    void sweep(long nanos) {
        places.values().removeIf(heard -> nanos - heard.nanos() >= KEPT_NANOS);
        room.leaves(places.size());
    }
}
