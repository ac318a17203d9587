package io.ratelimit.core.broadcast;

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

    /** The last of it. */
    private record Heard(long epoch, long spent, long nanos) {}

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
     * @param tokens how many tokens more have been spent; 0 if that is not what it says
     * @param sinceNanos since when: the time at which this host heard of the client last, or the epoch began
     */
    record News(Meaning meaning, long tokens, long sinceNanos) {

        private static final News NOTHING = new News(Meaning.NOTHING, 0, 0);
    }

    /**
     * Hears of a client.
     *
     * @param origin the host that tells
     * @param bucket the bucket's name
     * @param item what it tells
     * @param nanos the time
     */
    News hear(long origin, String bucket, ConsumptionNews.Item item, long nanos) {
        News[] news = {News.NOTHING};
        places.compute(new Place(origin, bucket, item.key()), (place, before) -> {
            news[0] = newsOf(item, before, nanos);
            return kept(item, before, nanos);
        });
        return news[0];
    }

    private @Nullable Heard kept(ConsumptionNews.Item item, @Nullable Heard before, long nanos) {
        if (before == null) {
            return places.size() < MOST_CLIENTS ? new Heard(item.epoch(), item.spent(), nanos) : null;
        }
        boolean older = item.epoch() < before.epoch || (item.epoch() == before.epoch && item.spent() < before.spent);
        return older ? new Heard(before.epoch, before.spent, nanos) : new Heard(item.epoch(), item.spent(), nanos);
    }

    private News newsOf(ConsumptionNews.Item item, @Nullable Heard before, long nanos) {
        if (before == null) {
            long heardAllFor = Math.min(KEPT_NANOS, nanos - listeningSince);
            return item.epochNanos() < heardAllFor
                    ? new News(Meaning.MORE, item.spent(), nanos - item.epochNanos())
                    : new News(Meaning.STANDING, 0, nanos);
        }
        if (item.epoch() > before.epoch) {
            return new News(Meaning.MORE, item.spent(), nanos - item.epochNanos());
        }
        boolean more = item.epoch() == before.epoch && item.spent() > before.spent;
        return more ? new News(Meaning.MORE, item.spent() - before.spent, before.nanos) : News.NOTHING;
    }

    /** Forgets clients of whom nothing was heard for a while. */
    void sweep(long nanos) {
        places.values().removeIf(heard -> nanos - heard.nanos() >= KEPT_NANOS);
    }
}
