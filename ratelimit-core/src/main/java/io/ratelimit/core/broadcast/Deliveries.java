package io.ratelimit.core.broadcast;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * How messages of other hosts come: how long they were under way, and whether some were lost. What waited while this host
 * stood still, or in a network that did, is known to be old; so is what was not told while the network was parted.
 *
 * <p>Clocks of hosts have different origins: the difference between the times of arrival and of departure is the time under
 * way and something unknown that stays the same. So the quickest message of the last minutes counts as no time, and others
 * by how much longer they took. Thread-safe.
 */
final class Deliveries {

    /** Clocks go apart by some millionths, and routes change: the quickest is sought anew. */
    static final long WINDOW_NANOS = 60_000_000_000L;

    /**
     * No host is silent for so long that has something to tell, but for a standstill of one of the hosts or the network.
     * Of one that tells a few times a second, some messages in a row get lost, and rumours come by chance.
     */
    static final long SILENCE_NANOS = 5_000_000_000L;

    /** So many messages may be on their way still when one arrives that was sent after them. */
    private static final long MOST_OVERTAKEN = 4;

    private static final long FORGOTTEN_NANOS = 20 * WINDOW_NANOS;

    /** Longer than any message is under way, so that times can be added to it. */
    private static final long MOST_NANOS = 1L << 60;

    /** So that made-up names take no memory. */
    private static final int MOST_HOSTS = 200_000;

    private final ConcurrentMap<Long, Route> byOrigin = new ConcurrentHashMap<>();
    private final Room room = new Room(
            MOST_HOSTS, "How long messages of more than {} hosts were under way is not known until some are forgotten");

    /**
     * What is known of a host.
     *
     * @param before the smallest difference of the window before
     * @param now the smallest of this window
     * @param windowNanos when this window began
     * @param number the highest number that came
     * @param last the last delivery
     */
    private record Route(long before, long now, long windowNanos, long number, Delivery last) {

        private static Route begin(Postmark mark, long nanos) {
            long difference = nanos - mark.sentNanos();
            return new Route(difference, difference, nanos, mark.number(), Delivery.unmarked(nanos));
        }

        private Route with(Postmark mark, long nanos) {
            long difference = nanos - mark.sentNanos();
            boolean same = nanos - windowNanos < WINDOW_NANOS;
            long newBefore = same ? before : now;
            long newNow = same ? smaller(now, difference) : difference;
            // Of two that are half a circle apart, the difference is below zero.
            long underWay = Math.min(Math.max(0, difference - smaller(newBefore, newNow)), MOST_NANOS);
            boolean silent = nanos - last.nanos() >= SILENCE_NANOS;
            boolean lost = mark.number() - number > MOST_OVERTAKEN && mark.runNanos() >= SILENCE_NANOS;
            boolean told = lost || underWay >= SILENCE_NANOS;
            // What was under way all the time arrives at the end; what shows that others were lost was sent at the end.
            long end = underWay >= SILENCE_NANOS ? nanos : nanos - underWay;
            Delivery delivery = silent && told
                    ? new Delivery(nanos, underWay, true, end)
                    : new Delivery(nanos, underWay, last.afterStandstill(), last.standstillEndNanos());
            return new Route(newBefore, newNow, same ? windowNanos : nanos, Math.max(number, mark.number()), delivery);
        }

        /** Of two that may have overflown. */
        private static long smaller(long one, long other) {
            return one - other <= 0 ? one : other;
        }
    }

    /**
     * Takes note of a message.
     *
     * @param origin the host that has sent it
     * @param mark what it says of its sending
     * @param nanos the time here
     */
    Delivery arrived(long origin, Postmark mark, long nanos) {
        if (!byOrigin.containsKey(origin) && room.isFullAt(byOrigin.size())) {
            return Delivery.unmarked(nanos);
        }
        return byOrigin.compute(
                        origin, (host, known) -> known == null ? Route.begin(mark, nanos) : known.with(mark, nanos))
                .last();
    }

    /** Forgets hosts of which nothing was heard for a while. */
    void sweep(long nanos) {
        byOrigin.values().removeIf(route -> nanos - route.last().nanos() >= FORGOTTEN_NANOS);
        room.leaves(byOrigin.size());
    }
}
