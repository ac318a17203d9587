package io.ratelimit.benchmarks.cluster;

/**
 * The fewest tokens that a client's bucket can have held when each of his requests was decided, whatever the order of the
 * decisions. Asked for one request after the other, in the order of the answers, it keeps sums of what was before, so that
 * a long run is judged in a moment. Used by one thread.
 */
final class Ledger {

    private final ScenarioLimit limit;
    private final Times decided;
    private final boolean[] spent;
    private final long longest;

    /** Of the first requests, how many have spent. */
    private final int[] spentBefore;

    /** Of the first requests, the least of what was spent before one without what had refilled until then. */
    private final double[] lowest;

    private int booked;

    Ledger(ScenarioLimit limit, Times decided) {
        this.limit = limit;
        this.decided = decided;
        this.longest = decided.longest();
        this.spent = new boolean[decided.count()];
        this.spentBefore = new int[spent.length + 1];
        this.lowest = new double[spent.length + 1];
        for (int i = 0; i < spent.length; i++) {
            // What was answered without the buckets may have been charged there all the same.
            spent[i] = decided.outcome(i) != Request.Outcome.REFUSED;
        }
        lowest[0] = Double.POSITIVE_INFINITY;
    }

    boolean hasSpent(int request) {
        return spent[request];
    }

    /** Has a request count as spent from then on. */
    void spend(int request) {
        spent[request] = true;
    }

    /**
     * The fewest tokens that there can have been when a request was decided that has not spent.
     *
     * @param request its number; never less than in a call before
     */
    double fewestTokens(int request) {
        bookBefore(request);
        long sent = decided.sent(request);
        int surelyBefore = Math.min(decided.answeredBefore(sent + 1), request);
        int later = later(request);
        // Those under way at the same time may all have come first, and the bucket can have been full until then.
        double full = limit.burst() - cost(spentBefore[request] - spentBefore[surelyBefore] + later);
        double since = limit.burst() + refilled(sent) - cost(spentBefore[request] + later) + lowest[surelyBefore];
        return Math.min(full, since);
    }

    private void bookBefore(int request) {
        for (; booked < request; booked++) {
            double least = lowest[booked];
            if (spent[booked]) {
                least = Math.min(least, cost(spentBefore[booked]) - refilled(decided.answered(booked)));
            }
            lowest[booked + 1] = least;
            spentBefore[booked + 1] = spentBefore[booked] + (spent[booked] ? 1 : 0);
        }
    }

    /** How many spent that were answered later, and may have been decided before. */
    private int later(int request) {
        long answered = decided.answered(request);
        int count = 0;
        for (int i = request + 1; i < spent.length && decided.answered(i) - answered <= longest; i++) {
            if (spent[i] && decided.sent(i) - answered <= 0) {
                count++;
            }
        }
        return count;
    }

    private double cost(int requests) {
        return (double) requests * limit.cost();
    }

    /** What refills from the first answer until a time. */
    private double refilled(long nanos) {
        return limit.refilled(nanos - decided.answered(0));
    }
}
