package io.ratelimit.core.bucket;

import io.ratelimit.store.Receipt;

/** Where a charge was made and the states that it left, one for each limit. */
final class LocalReceipt implements Receipt {

    private final BucketKey key;
    private final CompiledSpec spec;
    private final long[] statesAfter;

    LocalReceipt(BucketKey key, CompiledSpec spec, long[] statesAfter) {
        this.key = key;
        this.spec = spec;
        this.statesAfter = statesAfter;
    }

    BucketKey key() {
        return key;
    }

    CompiledSpec spec() {
        return spec;
    }

    /** Not to be written to. */
    long[] statesAfter() {
        return statesAfter;
    }
}
