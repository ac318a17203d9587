package io.ratelimit.core.report;

import io.ratelimit.ClientIdentifier;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Finds the clients that are refused most, among any number of them (the Space-Saving sketch of Metwally, Agrawal and El
 * Abbadi): a newcomer takes the place of whoever has the fewest, and his rank. The higher that is, the fewer newcomers are
 * admitted (the randomized admission of Ben Basat, Chen, Einziger, Friedman and Kassner), so that a flood of clients costs
 * little. Told is what was really counted of a client, so that a client that was refused once looks like it. Thread-safe.
 */
final class RefusedClients {

    static final int MOST_WATCHED = 200;
    static final int MOST_TOLD = 20;

    private final ConcurrentMap<RefusedClient, Refusals> watched = new ConcurrentHashMap<>();

    /** The lowest rank when it was last looked for; 0 while there is room. */
    private volatile long fewest;

    /**
     * A client's place.
     *
     * @param inherited the rank of whoever had it before
     * @param counted refusals since
     */
    private record Refusals(long inherited, AtomicLong counted) {

        long rank() {
            return inherited + counted.get();
        }
    }

    void count(String rule, ClientIdentifier client) {
        RefusedClient refused = new RefusedClient(rule, client);
        Refusals known = watched.get(refused);
        if (known != null) {
            known.counted.incrementAndGet();
        } else if (ThreadLocalRandom.current().nextLong(fewest + 1) == 0) {
            admit(refused).counted.incrementAndGet();
        }
    }

    private synchronized Refusals admit(RefusedClient refused) {
        Refusals known = watched.get(refused);
        if (known != null) {
            return known;
        }
        Refusals admitted = new Refusals(watched.size() < MOST_WATCHED ? 0 : makeRoom(), new AtomicLong());
        watched.put(refused, admitted);
        return admitted;
    }

    private long makeRoom() {
        RefusedClient last = null;
        long lowest = Long.MAX_VALUE;
        for (Map.Entry<RefusedClient, Refusals> entry : watched.entrySet()) {
            long rank = entry.getValue().rank();
            if (rank < lowest) {
                lowest = rank;
                last = entry.getKey();
            }
        }
        watched.remove(Objects.requireNonNull(last, "whoever makes room has found somebody"));
        fewest = lowest;
        return lowest;
    }

    /** The clients refused most since the last call, in that order, with how often. */
    synchronized Map<RefusedClient, Long> next() {
        Map<RefusedClient, Long> told = new LinkedHashMap<>();
        List<Map.Entry<RefusedClient, Refusals>> all = List.copyOf(watched.entrySet());
        watched.clear();
        fewest = 0;
        all.stream()
                .sorted(Comparator.comparingLong((Map.Entry<RefusedClient, Refusals> entry) ->
                                entry.getValue().counted.get())
                        .reversed())
                .limit(MOST_TOLD)
                .forEach(entry ->
                        told.put(entry.getKey(), entry.getValue().counted.get()));
        return told;
    }
}
