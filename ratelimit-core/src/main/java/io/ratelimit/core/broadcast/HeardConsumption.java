package io.ratelimit.core.broadcast;

import io.ratelimit.store.BucketSpec;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * What this host has heard of others. Of a sum, it counts what is more than it has heard before, so that messages that
 * come twice or in another order do no harm. Thread-safe.
 */
final class HeardConsumption {

    /** Longer than a sender remembers a client who does not come. */
    static final long KEPT_NANOS = 60_000_000_000L;

    private static final int MOST_CLIENTS = 1_000_000;

    /** Which bucket of which client on which host. */
    private record Place(long origin, String bucket, UUID key) {}

    /**
     * The last of it.
     *
     * @param settledNanos until when what refilled was set against what had been spent
     */
    private record Heard(long epoch, long spent, long nanos, long settledNanos) {}

    private final ConcurrentMap<Place, Heard> places = new ConcurrentHashMap<>();
    private final long listeningSince;

    /**
     * Begins to listen.
     *
     * @param nanos the time
     */
    HeardConsumption(long nanos) {
        this.listeningSince = nanos;
    }

    /** What follows from a message about a client. */
    enum Meaning {
        /** So many tokens more have been spent. */
        MORE,
        /** All that is known is how the bucket stands: what was spent before this host began to listen is in it. */
        STANDING,
        /** All of it is known. */
        NOTHING
    }

    /**
     * What a message says.
     *
     * @param tokens how many tokens more have been spent that cannot have refilled during a standstill; 0 if that is not
     *     what it says
     * @param standstillNanos how much of the time before the message that accounts for
     */
    record News(Meaning meaning, long tokens, long standstillNanos) {

        private static final News NOTHING = new News(Meaning.NOTHING, 0, 0);
        private static final News STANDING = new News(Meaning.STANDING, 0, 0);
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
        places.compute(new Place(origin, bucket.name(), item.key()), (place, before) -> {
            Settlement settled = settle(new Refilling(bucket), item, before, delivery);
            news[0] = settled.news();
            return kept(item, before, delivery.nanos(), settled.untilNanos());
        });
        return news[0];
    }

    private @Nullable Heard kept(ConsumptionNews.Item item, @Nullable Heard before, long nanos, long settledNanos) {
        if (before == null) {
            return places.size() < MOST_CLIENTS ? new Heard(item.epoch(), item.spent(), nanos, settledNanos) : null;
        }
        boolean older = item.epoch() < before.epoch || (item.epoch() == before.epoch && item.spent() < before.spent);
        return older
                ? new Heard(before.epoch, before.spent, nanos, settledNanos)
                : new Heard(item.epoch(), item.spent(), nanos, settledNanos);
    }

    /**
     * What follows from a message.
     *
     * @param untilNanos until when that settles what has refilled
     */
    private record Settlement(News news, long untilNanos) {}

    private Settlement settle(
            Refilling refilling, ConsumptionNews.Item item, @Nullable Heard before, Delivery delivery) {
        long now = delivery.nanos();
        long age = item.epochNanos() + delivery.underWayNanos();
        if (before == null) {
            long heardAllFor = Math.min(KEPT_NANOS, now - listeningSince);
            return age < heardAllFor
                    ? settle(refilling, item.spent(), now - age, delivery)
                    : new Settlement(News.STANDING, now);
        }
        if (item.epoch() > before.epoch) {
            return settle(refilling, item.spent(), now - age, delivery);
        }
        if (item.epoch() == before.epoch && item.spent() > before.spent) {
            return settle(refilling, item.spent() - before.spent, before.settledNanos, delivery);
        }
        return new Settlement(News.NOTHING, delivery.isLate() ? before.settledNanos : now);
    }

    /**
     * Whether the bucket was full here during a standstill is not known any more: what can have refilled has, so that nobody
     * is refused for what others let pass long ago. But it has only once: of messages that were under way meanwhile, each
     * uses up some of that time, and the first one that was sent after it all of the rest.
     */
    private static Settlement settle(Refilling refilling, long spent, long sinceNanos, Delivery delivery) {
        long standstill = delivery.standstill(sinceNanos);
        long refilled = refilling.atLeast(standstill);
        News news = new News(Meaning.MORE, Math.max(0, spent - refilled), standstill);
        boolean some = refilled > spent && delivery.isLate();
        return new Settlement(
                news, some ? sinceNanos + (long) ((double) standstill * spent / refilled) : delivery.nanos());
    }

    /** Forgets clients of whom nothing was heard for a while. */
    void sweep(long nanos) {
        places.values().removeIf(heard -> nanos - heard.nanos() >= KEPT_NANOS);
    }
}
