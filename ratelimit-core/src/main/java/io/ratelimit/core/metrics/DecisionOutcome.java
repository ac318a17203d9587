package io.ratelimit.core.metrics;

import io.ratelimit.Decision;

/** What became of a request, as the tag {@code outcome} says it. */
enum DecisionOutcome {
    ALLOWED("allowed"),
    REFUSED("refused"),
    /** The store failed, and {@code onFailure} let the request pass. */
    FAILURE_ALLOWED("failure-allowed"),
    /** The store failed, and {@code onFailure} refused the request. */
    FAILURE_REFUSED("failure-refused"),
    /** A shadow rule would have refused the request. Stands beside what became of it. */
    SHADOW("shadow");

    private final String word;

    DecisionOutcome(String word) {
        this.word = word;
    }

    static DecisionOutcome of(Decision decision) {
        if (decision.reason() == Decision.Reason.FAILURE) {
            return decision.allowed() ? FAILURE_ALLOWED : FAILURE_REFUSED;
        }
        return decision.allowed() ? ALLOWED : REFUSED;
    }

    String word() {
        return word;
    }
}
