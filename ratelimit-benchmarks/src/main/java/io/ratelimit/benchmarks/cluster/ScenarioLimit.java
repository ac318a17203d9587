package io.ratelimit.benchmarks.cluster;

import java.util.Locale;

/**
 * What a client may.
 *
 * @param tokens tokens of the limit
 * @param periodMillis its period, a second if nothing is said
 * @param burst its burst, as many as the tokens if nothing is said
 * @param cost what each request costs, a token if nothing is said
 */
record ScenarioLimit(long tokens, long periodMillis, long burst, long cost) {

    /** Fills in what the file leaves out, which comes as 0. */
    ScenarioLimit {
        periodMillis = periodMillis == 0 ? 1_000 : periodMillis;
        burst = burst == 0 ? tokens : burst;
        cost = Math.max(1, cost);
    }

    /** Tokens per second. */
    double perSecond() {
        return tokens * 1_000.0 / periodMillis;
    }

    /** Tokens that come back in some time. */
    double refilled(long nanos) {
        return nanos * perSecond() / 1e9;
    }

    String yaml() {
        return String.format(Locale.ROOT, "{ tokens: %d, per: %dms, burst: %d }", tokens, periodMillis, burst);
    }
}
