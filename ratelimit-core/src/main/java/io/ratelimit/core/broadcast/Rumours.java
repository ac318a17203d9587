package io.ratelimit.core.broadcast;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * The sums that go round: those first that were told the least often, and of these the one that has waited longest. Not
 * thread-safe.
 */
final class Rumours {

    static final int NO_LINE = -1;

    private static final int MOST_LINES = 32;
    private static final int MOST_RUMOURS = 1_000_000;

    private final Map<Source, Rumour> bySource = new HashMap<>();
    private final List<Deque<Rumour>> lines = new ArrayList<>(MOST_LINES);
    private final RandomGenerator random;

    /** Where a sum is made, and of what. */
    private record Source(long origin, String bucket, UUID key) {}

    Rumours(RandomGenerator random) {
        this.random = random;
        for (int i = 0; i < MOST_LINES; i++) {
            lines.add(new ArrayDeque<>());
        }
    }

    /**
     * Takes a sum, to be passed on if it says more than is known.
     *
     * @param bucket the bucket's name
     * @return whether it does
     */
    boolean learn(String bucket, PeerNews.Entry entry, long nanos) {
        ConsumptionNews.Item item = entry.item();
        Source source = new Source(entry.sender().origin(), bucket, item.key());
        Rumour known = bySource.get(source);
        if (known == null) {
            Rumour made = new Rumour(entry, nanos);
            if (bySource.size() < MOST_RUMOURS) {
                bySource.put(source, made);
                line(made);
            }
            return true;
        }
        if (!known.isOlderThan(item)) {
            known.isTold(1);
            return false;
        }
        known.grow(entry, nanos);
        if (known.line() != 0) {
            line(known);
        }
        return true;
    }

    private void line(Rumour rumour) {
        int number = Math.min(rumour.told(), MOST_LINES - 1);
        rumour.waitsIn(number);
        lines.get(number).addLast(rumour);
    }

    /**
     * Fills a message.
     *
     * @param most how often a sum is told at most
     * @param times how many hosts the message goes to
     */
    void tell(PeerNewsWriter message, int most, int times) {
        List<Rumour> told = new ArrayList<>();
        for (int number = 0; number < Math.min(most, MOST_LINES); number++) {
            if (!tell(lines.get(number), number, message, told)) {
                break;
            }
        }
        for (Rumour rumour : told) {
            rumour.isTold(times);
            rumour.waitsIn(NO_LINE);
            if (rumour.told() < most) {
                line(rumour);
            }
        }
    }

    /** Whether there is still room after all of a line. */
    private boolean tell(Deque<Rumour> line, int number, PeerNewsWriter message, List<Rumour> told) {
        for (Rumour next = line.peekFirst(); next != null; next = line.peekFirst()) {
            if (next.line() == number && next.told() > number) {
                line(next);
            } else if (next.line() == number) {
                if (!message.add(next.entry())) {
                    return false;
                }
                told.add(next);
            }
            // All others have gone to another line.
            line.removeFirst();
        }
        return true;
    }

    /** Some of all that is known, so that whoever has missed it hears it after all. */
    void tellAny(PeerNewsWriter message) {
        List<Rumour> known = List.copyOf(bySource.values());
        int first = known.isEmpty() ? 0 : random.nextInt(known.size());
        for (int i = 0; i < known.size(); i++) {
            if (!message.add(known.get((first + i) % known.size()).entry())) {
                return;
            }
        }
    }

    void sweep(long nanos) {
        bySource.values().removeIf(rumour -> rumour.isQuietFor(ConsumptionLedger.IDLE_NANOS, nanos));
        lines.forEach(line -> line.removeIf(rumour -> rumour.isQuietFor(ConsumptionLedger.IDLE_NANOS, nanos)));
    }
}
