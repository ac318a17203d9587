package io.ratelimit.core.lease;

import io.ratelimit.store.Receipt;

/**
 * A charge that was paid from a lease.
 *
 * @param lease the lease
 */
record LeaseReceipt(Lease lease) implements Receipt {}
