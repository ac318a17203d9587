package io.ratelimit.core.bucket;

import io.ratelimit.LimitState;
import io.ratelimit.core.algorithm.TokenBucket;
import io.ratelimit.rules.Limit;
import io.ratelimit.store.BucketSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The arithmetic of a client's bucket: all limits of a spec, made once for all clients. Holds no state; a state is an
 * array with one word for each limit, in their order, which the methods leave as it is. Times are nanoseconds since an
 * origin that the keeper of the states chooses, at least 0. Immutable; safe for use by any thread.
 */
public final class CompiledSpec {

    private static final Comparator<CompiledSpec> NEWER_OR_TIGHTER = new SpecOrder();

    private final long version;
    private final TokenBucket[] limits;
    private final long[] periodNanos;

    private CompiledSpec(long version, TokenBucket[] limits, long[] periodNanos) {
        this.version = version;
        this.limits = limits;
        this.periodNanos = periodNanos;
    }

    /**
     * Compiles a spec.
     *
     * @param spec the spec
     * @return its arithmetic
     * @throws IllegalArgumentException if a limit is beyond exact arithmetic
     */
    public static CompiledSpec of(BucketSpec spec) {
        return new CompiledSpec(
                spec.version(),
                spec.limits().stream().map(TokenBucket::of).toArray(TokenBucket[]::new),
                spec.limits().stream()
                        .map(Limit::period)
                        .mapToLong(period -> period.toNanos())
                        .toArray());
    }

    /**
     * The arithmetic that another host described by its numbers.
     *
     * @param version the version of the spec
     * @param limits one bucket for each limit, at least one
     * @param periodNanos the period of each limit in nanoseconds
     * @return the arithmetic
     * @throws IllegalArgumentException if there are not as many periods as limits, or none
     */
    public static CompiledSpec ofNumbers(long version, List<TokenBucket> limits, long[] periodNanos) {
        if (limits.isEmpty() || limits.size() != periodNanos.length) {
            throw new IllegalArgumentException("a bucket has one or more limits with a period each, not "
                    + limits.size() + " with " + periodNanos.length);
        }
        return new CompiledSpec(version, limits.toArray(TokenBucket[]::new), periodNanos.clone());
    }

    /**
     * The version of the rule set.
     *
     * @return the version
     */
    public long version() {
        return version;
    }

    /**
     * How many limits there are.
     *
     * @return at least 1
     */
    public int size() {
        return limits.length;
    }

    /**
     * One limit.
     *
     * @param index its place
     * @return its arithmetic
     */
    public TokenBucket limit(int index) {
        return limits[index];
    }

    /**
     * The period of one limit, which pairs it with its successor when rules are reloaded.
     *
     * @param index its place
     * @return nanoseconds
     */
    public long periodNanos(int index) {
        return periodNanos[index];
    }

    /**
     * Whether states written under another spec must be converted to this one: if this one is newer, or of the same
     * version with tighter limits. Of two specs that are not equal, always exactly one replaces the other, and whoever
     * compares comes to the same end, so that hosts never convert a bucket back and forth.
     *
     * @param other the other spec
     * @return true if this one counts
     */
    public boolean replaces(CompiledSpec other) {
        return NEWER_OR_TIGHTER.compare(this, other) > 0;
    }

    /**
     * The states of full buckets.
     *
     * @param nanos the time
     * @return one state for each limit
     */
    public long[] full(long nanos) {
        long[] states = new long[limits.length];
        for (int i = 0; i < limits.length; i++) {
            states[i] = limits[i].full(nanos);
        }
        return states;
    }

    /**
     * Whether nothing is missing under any limit, which is the same as no bucket.
     *
     * @param states the states
     * @param nanos the time
     * @return true if all limits are full
     */
    public boolean isFull(long[] states, long nanos) {
        for (int i = 0; i < limits.length; i++) {
            if (!limits[i].isFull(states[i], nanos)) {
                return false;
            }
        }
        return true;
    }

    /**
     * The time after which all limits are full if nobody spends meanwhile.
     *
     * @param states the states
     * @param nanos the time
     * @return nanoseconds, rounded up
     */
    public long fullNanos(long[] states, long nanos) {
        long longest = 0;
        for (int i = 0; i < limits.length; i++) {
            longest = Math.max(longest, limits[i].fullNanos(states[i], nanos));
        }
        return longest;
    }

    /**
     * States that were written some time ago, as they are to be read now. States are compared on a circle: one that
     * became full long ago would look used again, so it is replaced by what full means now.
     *
     * @param states the states
     * @param writtenNanos when they were written
     * @param nanos the time
     * @return the states to go on with
     */
    public long[] refresh(long[] states, long writtenNanos, long nanos) {
        long[] fresh = states.clone();
        for (int i = 0; i < limits.length; i++) {
            if (nanos - writtenNanos >= limits[i].fullNanos(states[i], writtenNanos)) {
                fresh[i] = limits[i].full(nanos);
            }
        }
        return fresh;
    }

    /**
     * The states that continue those of an earlier spec. A limit continues the same one, or else the one of its period
     * of which most was used; a limit without such a predecessor starts full.
     *
     * @param other the earlier spec
     * @param states its states
     * @param nanos the time
     * @return this spec's states
     */
    public long[] carryOver(CompiledSpec other, long[] states, long nanos) {
        long[] carried = full(nanos);
        for (int i = 0; i < limits.length; i++) {
            int same = other.indexOf(limits[i], periodNanos[i]);
            for (int j = 0; j < states.length; j++) {
                if (same < 0 && periodNanos[i] == other.periodNanos[j]) {
                    long candidate = limits[i].carryOver(other.limits[j], states[j], nanos);
                    carried[i] = limits[i].used(candidate, nanos) > limits[i].used(carried[i], nanos)
                            ? candidate
                            : carried[i];
                }
            }
            carried[i] = same < 0 ? carried[i] : states[same];
        }
        return carried;
    }

    /**
     * Whether all limits hold enough tokens.
     *
     * @param states the states
     * @param nanos the time
     * @param cost tokens, at least 0
     * @return true if the cost can be spent
     */
    public boolean admits(long[] states, long nanos, long cost) {
        for (int i = 0; i < limits.length; i++) {
            if (!limits[i].admits(states[i], nanos, cost)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Spends tokens of all limits.
     *
     * @param states the states
     * @param nanos the time
     * @param cost tokens that all limits {@linkplain #admits admit}
     * @return the new states
     */
    public long[] spend(long[] states, long nanos, long cost) {
        long[] spent = states.clone();
        for (int i = 0; i < limits.length && cost > 0; i++) {
            spent[i] = limits[i].spend(states[i], nanos, cost);
        }
        return spent;
    }

    /**
     * Gives tokens of an earlier charge back, at most what it still holds under each limit. Limits that were changed
     * since the charge get nothing: what it held was rounded when it was carried over.
     *
     * @param states the states
     * @param nanos the time
     * @param tokens tokens of the charge to give back
     * @param charged the spec that the charge was made under
     * @param statesAfter the states that the charge left
     * @return the new states
     */
    public long[] refund(long[] states, long nanos, long tokens, CompiledSpec charged, long[] statesAfter) {
        long[] refunded = states.clone();
        for (int i = 0; i < limits.length; i++) {
            int same = charged.equals(this) ? i : charged.indexOf(limits[i], periodNanos[i]);
            if (same >= 0) {
                refunded[i] = limits[i].refund(states[i], nanos, tokens, statesAfter[same]);
            }
        }
        return refunded;
    }

    /**
     * What these limits say to a charge.
     *
     * @param states the states, after the charge if it was spent
     * @param nanos the time
     * @param cost the tokens that are asked for now; 0 if they were spent
     * @param asked the spec that the charge was made under
     * @return the state of each limit of the spec that was asked for, in its order: where these are another spec's, the
     *     state of the limit of the same period; a wait of a limit that was not asked for stands at the first
     */
    public List<LimitState> describe(long[] states, long nanos, long cost, CompiledSpec asked) {
        List<LimitState> own = new ArrayList<>(limits.length);
        for (int i = 0; i < limits.length; i++) {
            own.add(limits[i].describe(states[i], nanos, limits[i].waitNanos(states[i], nanos, cost)));
        }
        return asked.equals(this) || Arrays.equals(periodNanos, asked.periodNanos) ? own : asked.translate(own, this);
    }

    /**
     * The states with the fewest tokens of two: these, and what another store said of the same buckets.
     *
     * @param states the states
     * @param seen what was said, one for each limit
     * @param nanos the time
     * @return the new states
     */
    long[] fewest(long[] states, List<LimitState> seen, long nanos) {
        long[] fewest = states.clone();
        for (int i = 0; i < limits.length; i++) {
            long other = limits[i].stateOf(seen.get(i), nanos);
            if (limits[i].used(other, nanos) > limits[i].used(states[i], nanos)) {
                fewest[i] = other;
            }
        }
        return fewest;
    }

    private List<LimitState> translate(List<LimitState> states, CompiledSpec other) {
        List<LimitState> translated = new ArrayList<>(limits.length);
        for (int i = 0; i < limits.length; i++) {
            LimitState state = new LimitState(limits[i].capacity(), 0, 0);
            for (int j = 0; j < other.limits.length; j++) {
                if (periodNanos[i] == other.periodNanos[j]) {
                    state = states.get(j);
                }
            }
            translated.add(state);
        }
        boolean refusalIsShown = translated.stream().anyMatch(state -> !state.admits());
        if (!refusalIsShown) {
            states.stream()
                    .filter(state -> !state.admits())
                    .findFirst()
                    .ifPresent(refusing -> translated.set(0, refusing));
        }
        return translated;
    }

    private int indexOf(TokenBucket limit, long period) {
        for (int i = 0; i < limits.length; i++) {
            if (period == periodNanos[i] && limit.equals(limits[i])) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof CompiledSpec that
                        && version == that.version
                        && Arrays.equals(limits, that.limits)
                        && Arrays.equals(periodNanos, that.periodNanos));
    }

    @Override
    public int hashCode() {
        return 31 * (31 * Long.hashCode(version) + Arrays.hashCode(limits)) + Arrays.hashCode(periodNanos);
    }
}
