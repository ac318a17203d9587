package io.ratelimit.server.traffic.replay;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** Counts requests by what became of them. Not thread-safe. */
final class Tally {

    private final Estimator all = new Estimator();
    private final Map<Fate, Estimator> byFate = new EnumMap<>(Fate.class);

    Tally() {
        for (Fate fate : Fate.values()) {
            byFate.put(fate, new Estimator());
        }
    }

    void count(Fate fate, String client, double share) {
        all.count(client, share);
        of(fate).count(client, share);
    }

    /** Counts a request once more that has been counted by what became of it. */
    void countShadow(String client, double share) {
        of(Fate.SHADOW).count(client, share);
    }

    Estimate requests() {
        return all.estimate();
    }

    Figures figures() {
        return new Figures(
                of(Fate.ALLOWED).estimate(),
                of(Fate.WAITING).estimate(),
                of(Fate.REFUSED).estimate(),
                of(Fate.SHADOW).estimate());
    }

    private Estimator of(Fate fate) {
        return Objects.requireNonNull(byFate.get(fate));
    }
}
