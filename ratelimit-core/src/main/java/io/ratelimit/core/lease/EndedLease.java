package io.ratelimit.core.lease;

import io.ratelimit.store.Receipt;

/**
 * What a lease that is over has left, to be given back.
 *
 * @param receipt of the charge that took the tokens from the shared bucket
 * @param left tokens, at least 1
 */
record EndedLease(Receipt receipt, long left) {}
