package io.ratelimit.core.bucket;

import io.ratelimit.core.algorithm.Moment;
import io.ratelimit.store.Receipt;

/** Where a charge was made, and what a refund must know of it. */
final class LocalReceipt implements Receipt {

    private final BucketKey key;
    private final CompiledSpec spec;
    private final long cost;
    private final long[][] words;
    private final long nanos;
    private final long[] refundedBefore;

    /**
     * Keeps the arrays, which must not be written to any more.
     *
     * @param key the bucket
     * @param spec the limits that the charge was made under
     * @param cost its tokens
     * @param words what the spec's {@link CompiledSpec#receipt} said
     * @param nanos when the charge was made, on the store's clock
     * @param refundedBefore what had been given back to the bucket under each limit; empty for nothing
     */
    LocalReceipt(BucketKey key, CompiledSpec spec, long cost, long[][] words, long nanos, long[] refundedBefore) {
        this.key = key;
        this.spec = spec;
        this.cost = cost;
        this.words = words;
        this.nanos = nanos;
        this.refundedBefore = refundedBefore;
    }

    BucketKey key() {
        return key;
    }

    CompiledSpec spec() {
        return spec;
    }

    long cost() {
        return cost;
    }

    /** When the charge was made. */
    Moment charged() {
        return Moment.ofNanos(nanos);
    }

    /** What had been given back under each limit when this was made; empty for nothing. Not to be written to. */
    long[] refundedBefore() {
        return refundedBefore;
    }

    /** Not to be written to. */
    long[][] words() {
        return words;
    }
}
