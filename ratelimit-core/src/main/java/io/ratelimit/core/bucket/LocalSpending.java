package io.ratelimit.core.bucket;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.LimitState;
import io.ratelimit.store.Receipt;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A client's cost, and what became of it. Keeps the words that decided, so that states and a receipt are worked out only
 * where somebody asks for them. Filled by its {@link ClientBuckets} before anybody else sees it, and then immutable.
 */
public final class LocalSpending implements DirectSpending {

    private final ClientBuckets buckets;
    private final ClientKind kind;
    private final String value;
    private final long fingerprint;
    private final long cost;

    /** After the cost if it was spent; a word for each limit. */
    private final long[] states;

    private boolean allowed;
    private long nanos;
    private long[] refundedBefore = BucketRefunds.NO_TOTALS;

    /**
     * Begins undecided.
     *
     * @param buckets those that decide
     * @param limits how many limits they have
     */
    LocalSpending(ClientBuckets buckets, int limits, ClientKind kind, String value, long cost) {
        this.buckets = buckets;
        this.kind = kind;
        this.value = value;
        this.fingerprint = kind.fingerprint(value);
        this.cost = cost;
        this.states = new long[limits];
    }

    /**
     * Takes note of the decision, whose states are written.
     *
     * @param decided whether all limits admitted the cost, which is spent then
     * @param at the time
     * @param refunded what had been given back to the client under each limit; empty for nothing
     */
    void note(boolean decided, long at, long[] refunded) {
        allowed = decided;
        nanos = at;
        refundedBefore = refunded;
    }

    long fingerprint() {
        return fingerprint;
    }

    /** Where the states are to be written that decided. */
    long[] states() {
        return states;
    }

    @Override
    public boolean allowed() {
        return allowed;
    }

    @Override
    public ClientIdentifier client() {
        return kind.client(value);
    }

    @Override
    public long cost() {
        return cost;
    }

    @Override
    public List<LimitState> limits() {
        LimitState[] limits = new LimitState[states.length];
        for (int i = 0; i < limits.length; i++) {
            limits[i] = limit(i);
        }
        return List.of(limits);
    }

    @Override
    public LimitState limit(int limit) {
        return buckets.describe(limit, states[limit], nanos, allowed ? 0 : cost);
    }

    @Override
    public @Nullable Receipt receipt() {
        if (!allowed) {
            return null;
        }
        return buckets.receipt(fingerprint, cost, states, nanos, refundedBefore);
    }
}
