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

    /**
     * The worst of all times that begin with a request and end with one, for each of the two. Only what lies within for
     * certain counts.
     *
     * @param excess the most tokens that the client got beyond B + R·w; 0 if there is no proof
     * @param ofBound what he got as a part of B + R·w and what may be beyond
     */
    record Worst(double excess, double ofBound) {}

    /**
     * Looks for the worst time.
     *
     * @param beyond tokens that the way of sharing allows beyond the limit
     */
    Worst worst(double beyond) {
        double excess = 0;
        double ofBound = 0;
        for (int first = 0; first < passed.count(); first++) {
            long begin = passed.sent(first);
            double tokens = 0;
            for (int last = passed.answeredBefore(begin); last < passed.count(); last++) {
                if (passed.sent(last) - begin >= 0) {
                    tokens += (double) limit.cost();
                    double bound = limit.burst() + limit.refilled(passed.answered(last) - begin);
                    excess = Math.max(excess, tokens - bound);
                    ofBound = Math.max(ofBound, tokens / (bound + beyond));
                }
            }
        }
        return new Worst(excess, ofBound);
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
}
