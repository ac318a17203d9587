package io.ratelimit.core.broadcast;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The sums that go round: those first that were told the least often, and of these the one that has waited longest. What
 * goes round no more is remembered for longer, so that it does not come back as something new from a host that has not
 * forgotten it yet. Not thread-safe.
 */
final class Rumours {

    private static final int MOST_LINES = 32;

    /** After that time, a sum has come to whomever it comes to by itself. */
    static final long SETTLED_NANOS = 1_000_000_000L;

    /** A while longer than others tell a sum, since not all hosts have heard of it at the same time. */
    private static final long COMPARED_NANOS = ConsumptionLedger.IDLE_NANOS + 5_000_000_000L;

    /** How many sums are said to be missing at once. */
    static final int MOST_MISSING = 100;

    private static final int FINGERPRINT_BYTES = 4;

    /** Before fingerprints in a message. */
    private static final int FRAME_BYTES = 60;

    private final Map<Source, Rumour> bySource = new HashMap<>();

    /** By how often they were told, as long as that is not often enough. */
    private final List<Set<Rumour>> lines = new ArrayList<>(MOST_LINES);

    private final Room room;

    private int nextPart;

    /**
     * Knows nothing yet.
     *
     * @param most how many sums go round
     */
    Rumours(int most) {
        this.room = new Room(most, "What hosts tell of more than {} buckets is not passed on until some are forgotten");
        for (int i = 0; i < MOST_LINES; i++) {
            lines.add(new LinkedHashSet<>());
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
            if (!room.isFullAt(bySource.size())) {
                Rumour made = new Rumour(bucket, entry, nanos);
                bySource.put(source, made);
                line(made).add(made);
            }
            return true;
        }
        boolean more = known.isOlderThan(item);
        if (more && known.told() == 0) {
            known.grow(entry, nanos);
            // One that waits there keeps its place: whoever spends all the time would always be the last.
            line(known).add(known);
            return true;
        }
        boolean waited = line(known).remove(known);
        if (more) {
            known.grow(entry, nanos);
        } else {
            known.countTold(1);
        }
        if (more || waited) {
            line(known).add(known);
        }
        return more;
    }

    private Set<Rumour> line(Rumour rumour) {
        return lines.get(Math.min(rumour.told(), MOST_LINES - 1));
    }

    /**
     * Fills a message.
     *
     * @param most how often a sum is told at most, below 32
     * @param times how many hosts the message goes to
     */
    void tell(PeerNewsWriter message, int most, int times) {
        List<Rumour> told = new ArrayList<>();
        for (Set<Rumour> line : lines.subList(0, most)) {
            if (!tell(line, message, told)) {
                break;
            }
        }
        for (Rumour rumour : told) {
            rumour.countTold(times);
            if (rumour.told() < most) {
                line(rumour).add(rumour);
            }
        }
    }

    /** Whether there is still room after all of a line. */
    private static boolean tell(Set<Rumour> line, PeerNewsWriter message, List<Rumour> told) {
        for (Iterator<Rumour> waiting = line.iterator(); waiting.hasNext(); ) {
            Rumour next = waiting.next();
            if (!message.add(next.entry())) {
                return false;
            }
            waiting.remove();
            told.add(next);
        }
        return true;
    }

    /**
     * What is known here and others may still tell, one part of it after another.
     *
     * @param mostBytes how long a message that says it may be
     */
    KnownSums known(int mostBytes, long nanos) {
        List<Rumour> compared = bySource.values().stream()
                .filter(rumour -> !rumour.isQuietFor(COMPARED_NANOS, nanos))
                .toList();
        int most = (mostBytes - FRAME_BYTES) / FINGERPRINT_BYTES;
        // Parts are not equally large.
        int parts = compared.size() / (most * 2 / 3) + 1;
        int part = nextPart++ % parts;
        Set<Integer> fingerprints = new HashSet<>();
        for (Rumour rumour : compared) {
            if (KnownSums.isIn(part, parts, rumour.source()) && fingerprints.size() < most) {
                fingerprints.add(rumour.fingerprint());
            }
        }
        return new KnownSums(parts, part, fingerprints);
    }

    /** What has had the time to come to another host, and has not. */
    List<PeerNews.Entry> missing(KnownSums known, long nanos) {
        return bySource.values().stream()
                .filter(known::isMissing)
                .filter(rumour -> rumour.isQuietFor(SETTLED_NANOS, nanos)
                        && !rumour.isQuietFor(ConsumptionLedger.IDLE_NANOS, nanos))
                .map(Rumour::entry)
                .limit(MOST_MISSING)
                .toList();
    }

    /** Forgets sums, and before that ceases to tell them. */
    void sweep(long nanos) {
        bySource.values().removeIf(rumour -> rumour.isQuietFor(HeardConsumption.KEPT_NANOS, nanos));
        room.leaves(bySource.size());
        lines.forEach(line -> line.removeIf(rumour -> rumour.isQuietFor(ConsumptionLedger.IDLE_NANOS, nanos)));
    }
}
