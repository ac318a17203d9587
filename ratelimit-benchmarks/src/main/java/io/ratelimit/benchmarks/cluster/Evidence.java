package io.ratelimit.benchmarks.cluster;

import java.util.List;

/**
 * What the requests of one client prove, whatever the order in which they were decided: each was at some time between
 * question and answer. Immutable.
 */
final class Evidence {

    private static final double ROUNDING = 1e-6;

    private final ScenarioLimit limit;
    private final Times passed;
    private final Times decided;

    /**
     * Takes the requests of a client.
     *
     * @param limit what he may
     * @param requests all of them
     */
    Evidence(ScenarioLimit limit, List<Request> requests) {
        this.limit = limit;
        this.passed = Times.of(requests, Request.Outcome::passed);
        this.decided = Times.of(requests, outcome -> outcome != Request.Outcome.BROKEN);
    }

    private interface Window {
        void see(double tokens, double bound);
    }

    /** Goes through all times that begin with a request and end with one; only what lies within for certain counts. */
    private void eachWindow(Window window) {
        for (int first = 0; first < passed.count(); first++) {
            long begin = passed.sent(first);
            double tokens = 0;
            for (int last = 0; last < passed.count(); last++) {
                if (passed.sent(last) - begin >= 0) {
                    tokens += (double) limit.cost();
                    window.see(tokens, limit.burst() + refilled(passed.answered(last) - begin));
                }
            }
        }
    }

    /** The most tokens that the client got for certain beyond B + R·w, over the worst time w; 0 if there is no proof. */
    double excess() {
        double[] most = {0};
        eachWindow((tokens, bound) -> most[0] = Math.max(most[0], tokens - bound));
        return most[0];
    }

    /**
     * What the client got for certain as a part of B + R·w and what may be beyond, over the worst time.
     *
     * @param beyond tokens
     */
    double ofBound(double beyond) {
        double[] most = {0};
        eachWindow((tokens, bound) -> most[0] = Math.max(most[0], tokens / (bound + beyond)));
        return most[0];
    }

    /**
     * How many of the refused requests the limit allowed for certain. Each of them counts as spent from then on: had it
     * passed, its tokens would not be there for the next one.
     *
     * @param idle tokens that need not be there
     */
    int falseRefusals(double idle) {
        Ledger ledger = new Ledger(limit, decided);
        int wrong = 0;
        for (int i = 0; i < decided.count(); i++) {
            if (!ledger.hasSpent(i) && ledger.fewestTokens(i) - limit.cost() >= idle + ROUNDING) {
                ledger.spend(i);
                wrong++;
            }
        }
        return wrong;
    }

    private double refilled(long nanos) {
        return nanos * limit.perSecond() / 1e9;
    }
}
