package io.ratelimit.core.bucket;

import io.ratelimit.core.algorithm.Moment;
import io.ratelimit.store.Charge;
import java.util.Arrays;

/** What becomes of one charge once it is known whether its request passes. Immutable. */
public final class Spending {

    private final boolean spent;
    private final long[][] states;
    private final long[] waits;

    private Spending(boolean spent, long[][] states, long[] waits) {
        this.spent = spent;
        this.states = states;
        this.waits = waits;
    }

    /**
     * Decides a charge.
     *
     * @param spec the limits in force
     * @param states the states
     * @param now the time
     * @param kind what the charge has to say about its request
     * @param cost tokens, at least 0
     * @param maxWaitNanos how long the request would wait for tokens to come
     * @param allowed whether all binding charges of the request were admitted
     * @return what becomes of it
     */
    public static Spending of(
            CompiledSpec spec,
            long[][] states,
            Moment now,
            Charge.Kind kind,
            long cost,
            long maxWaitNanos,
            boolean allowed) {
        CompiledSpec limits = spec.as(kind);
        if (kind == Charge.Kind.LATE) {
            return new Spending(true, limits.spendLate(states, now, cost), new long[states.length]);
        }
        long[] waits = limits.waits(states, now, cost);
        if (kind == Charge.Kind.LOOK) {
            return new Spending(false, states, waits);
        }
        if (limits.admits(waits, maxWaitNanos)) {
            return allowed
                    ? new Spending(true, limits.spend(states, now, cost), waits)
                    : new Spending(false, states, waits);
        }
        // A shadow charge must not count as refused where the request never got so far.
        boolean counts = allowed || kind.decides();
        long[][] after = counts ? limits.refuse(states, now, cost, waits, maxWaitNanos) : states;
        // A refusal that counts makes the next attempt wait longer, and that is the one to be told.
        return new Spending(false, after, Arrays.equals(after, states) ? waits : limits.waits(after, now, cost));
    }

    /**
     * Whether the charge was spent.
     *
     * @return false for one that was refused or not needed
     */
    public boolean spent() {
        return spent;
    }

    /**
     * The states to keep; not to be written to.
     *
     * @return the same array as before where nothing changed
     */
    public long[][] states() {
        return states;
    }

    /**
     * How long each limit makes the charge wait; not to be written to.
     *
     * @return nanoseconds; for a charge that was spent, until its turn
     */
    public long[] waits() {
        return waits;
    }
}
