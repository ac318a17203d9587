package io.ratelimit.core.queue;

import io.ratelimit.Decision;

/**
 * A turn, with the tokens that were paid for it.
 *
 * @param turnNanos when it comes, by the line's clock
 * @param decision the decision that paid them
 * @param takeBack gives them back, which has an effect only while nobody has paid for a later turn
 */
record Slot(long turnNanos, Decision decision, Runnable takeBack) {}
