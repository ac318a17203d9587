package io.ratelimit.core.lease;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.LimitState;
import io.ratelimit.core.bucket.ClientKind;
import io.ratelimit.core.bucket.DirectSpending;
import io.ratelimit.core.bucket.RoutedReceipt;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Receipt;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A cost that a lease has paid, or that the shared buckets would refuse as they have lately. Immutable.
 *
 * @param store takes the receipt
 * @param kind what tells the client apart
 * @param value the client's value
 * @param cost tokens
 * @param limits what the limits say
 * @param lease which lease has paid; null for a refusal
 */
record LeasedSpending(
        BucketStore store,
        ClientKind kind,
        String value,
        long cost,
        List<LimitState> limits,
        @Nullable Lease lease) implements DirectSpending {

    @Override
    public boolean allowed() {
        return lease != null;
    }

    @Override
    public ClientIdentifier client() {
        return kind.client(value);
    }

    @Override
    public LimitState limit(int limit) {
        return limits.get(limit);
    }

    @Override
    public @Nullable Receipt receipt() {
        return lease == null ? null : new RoutedReceipt(store, new LeaseReceipt(lease));
    }
}
