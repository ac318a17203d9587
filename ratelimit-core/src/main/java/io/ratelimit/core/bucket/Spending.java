package io.ratelimit.core.bucket;

import io.ratelimit.core.algorithm.Moment;
import io.ratelimit.store.Charge;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What becomes of one charge once it is known whether its request passes. Immutable. */
public final class Spending {

    private final long[][] states;
    private final long[] waits;
    private final long @Nullable [][] receipt;

    private Spending(long[][] states, long[] waits, long @Nullable [][] receipt) {
        this.states = states;
        this.waits = waits;
        this.receipt = receipt;
    }

    private static Spending made(CompiledSpec limits, long[][] before, long[][] after, long[] waits) {
        return new Spending(after, waits, limits.receipt(before, after));
    }

    private static Spending notMade(long[][] states, long[] waits) {
        return new Spending(states, waits, null);
    }

    /**
     * Decides a charge.
     *
     * @param spec the limits in force
     * @param states the states
     * @param now the time
     * @param kind what the charge has to say about its request
     * @param cost tokens, at least 0
     * @param maxWaitNanos how long the request would wait for tokens to come; of a late charge, how long they may take
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
            return made(limits, states, limits.spendLate(states, now, cost, maxWaitNanos), new long[states.length]);
        }
        long[] waits = limits.waits(states, now, cost);
        if (kind == Charge.Kind.LOOK) {
            return notMade(states, waits);
        }
        if (limits.admits(waits, maxWaitNanos)) {
            if (!allowed) {
                return notMade(states, waits);
            }
            // What costs nothing is no request that others keep a distance from.
            return made(cost == 0 ? spec.as(Charge.Kind.MORE) : limits, states, limits.spend(states, now, cost), waits);
        }
        // A shadow charge must not count as refused where the request never got so far.
        boolean counts = allowed || kind.decides();
        long[][] after = counts ? limits.refuse(states, now, cost, waits, maxWaitNanos) : states;
        // A refusal that counts makes the next attempt wait longer, and that is the one to be told.
        return notMade(after, Arrays.equals(after, states) ? waits : limits.waits(after, now, cost));
    }

    /**
     * What must be known to give the charge back; not to be written to.
     *
     * @return words for each limit, or null for a charge that was refused or not needed
     */
    public long @Nullable [][] receipt() {
        return receipt;
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
