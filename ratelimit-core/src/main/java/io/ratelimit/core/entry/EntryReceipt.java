package io.ratelimit.core.entry;

import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.Receipt;

/**
 * Where a charge was made and what it left.
 *
 * @param key the client
 * @param charge the charge
 * @param askedNanos this host's clock when the charge was sent
 */
record EntryReceipt(EntryKey key, MadeCharge charge, long askedNanos) implements Receipt {

    /** Hosts that have loaded the same limits at different times have different versions of them. */
    @Override
    public boolean isUnder(BucketSpec bucket) {
        return charge.bucket().decode().limits().equals(bucket.limits());
    }
}
