package io.ratelimit.core.bucket;

import io.ratelimit.core.algorithm.TokenBucket;
import io.ratelimit.rules.Limit;
import io.ratelimit.store.BucketSpec;
import java.util.List;

/** A bucket's spec with the arithmetic of its limits, made once for all clients. */
final class CompiledSpec {

    private final long version;
    private final List<Limit> model;
    private final TokenBucket[] limits;

    CompiledSpec(BucketSpec spec) {
        this.version = spec.version();
        this.model = spec.limits();
        this.limits = spec.limits().stream().map(TokenBucket::of).toArray(TokenBucket[]::new);
    }

    int size() {
        return limits.length;
    }

    TokenBucket limit(int index) {
        return limits[index];
    }

    /** Whether states written under another spec must be converted to this one. */
    boolean replaces(CompiledSpec other) {
        return version > other.version;
    }

    /** The states of full buckets. */
    long[] full(long nanos) {
        long[] states = new long[limits.length];
        for (int i = 0; i < limits.length; i++) {
            states[i] = limits[i].full(nanos);
        }
        return states;
    }

    /** The states that continue those of an earlier spec; a limit that pairs with none starts full. */
    long[] carryOver(CompiledSpec other, long[] states, long nanos) {
        long[] carried = full(nanos);
        for (int i = 0; i < carried.length; i++) {
            for (int j = 0; j < states.length; j++) {
                if (model.get(i).equals(other.model.get(j))) {
                    carried[i] = states[j];
                } else if (model.get(i).pairsWith(other.model.get(j))) {
                    carried[i] = limits[i].carryOver(other.limits[j], states[j], nanos);
                }
            }
        }
        return carried;
    }
}
