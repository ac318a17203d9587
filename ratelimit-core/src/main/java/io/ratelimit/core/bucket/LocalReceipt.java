package io.ratelimit.core.bucket;

import io.ratelimit.store.Receipt;

/** Where a charge was made, and what a refund must know of it. */
final class LocalReceipt implements Receipt {

    private final BucketKey key;
    private final CompiledSpec spec;
    private final long cost;
    private final long[][] words;

    /**
     * Keeps the arrays, which must not be written to any more.
     *
     * @param key the bucket
     * @param spec the limits that the charge was made under
     * @param cost its tokens
     * @param words what the spec's {@link CompiledSpec#receipt} said
     */
    LocalReceipt(BucketKey key, CompiledSpec spec, long cost, long[][] words) {
        this.key = key;
        this.spec = spec;
        this.cost = cost;
        this.words = words;
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

    /** Not to be written to. */
    long[][] words() {
        return words;
    }
}
