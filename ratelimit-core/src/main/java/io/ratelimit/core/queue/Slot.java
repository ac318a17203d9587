package io.ratelimit.core.queue;

import io.ratelimit.Decision;

/**
 * A turn, with the tokens that were paid for it.
 *
 * @param turnNanos when it comes, by the line's clock
 * @param decision the decision that paid them
 * @param cost how many tokens
 * @param isExchangeable whether they were paid for this turn alone, so that another one is as good
 * @param takeBack gives them back, which has an effect only while nobody has paid for a later turn
 */
record Slot(long turnNanos, Decision decision, long cost, boolean isExchangeable, Runnable takeBack) {

    boolean isBefore(Slot other) {
        return compareTurn(other) < 0;
    }

    /** By their turns; the clock may wrap. */
    int compareTurn(Slot other) {
        return Long.signum(turnNanos - other.turnNanos);
    }

    /** Whether the one may have this turn who has paid for another. */
    boolean isAsGoodAs(Slot other) {
        return isExchangeable && other.isExchangeable && cost == other.cost;
    }
}
