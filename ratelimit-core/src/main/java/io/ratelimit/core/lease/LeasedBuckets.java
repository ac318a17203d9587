package io.ratelimit.core.lease;

import io.ratelimit.core.bucket.ClientKind;
import io.ratelimit.core.bucket.ClientKinds;
import io.ratelimit.core.bucket.DirectBuckets;
import io.ratelimit.core.bucket.DirectSpending;
import io.ratelimit.core.bucket.Verdict;
import io.ratelimit.store.BucketSpec;
import org.jspecify.annotations.Nullable;

/**
 * What is leased under one rule, asked without the store.
 *
 * @param store holds the leases
 * @param kinds how it tells clients apart
 * @param spec the rule's buckets
 */
record LeasedBuckets(LeasingBucketStore store, ClientKinds kinds, BucketSpec spec) implements DirectBuckets {

    @Override
    public Verdict spend(ClientKind kind, String value, long cost) {
        DirectSpending spent = spendInDetail(kind, value, cost);
        if (spent == null) {
            return Verdict.UNDECIDED;
        }
        return spent.allowed() ? Verdict.ALLOWED : Verdict.REFUSED;
    }

    @Override
    public @Nullable DirectSpending spendInDetail(ClientKind kind, String value, long cost) {
        if (cost < 0) {
            throw new IllegalArgumentException("a charge is 0 or more tokens, not " + cost);
        }
        return store.spend(spec, kind, value, cost);
    }
}
