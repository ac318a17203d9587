package io.ratelimit.core.bucket;

import com.google.common.math.LongMath;
import io.ratelimit.LimitState;
import io.ratelimit.core.algorithm.LimitAlgorithm;
import io.ratelimit.core.algorithm.Moment;
import io.ratelimit.core.algorithm.TokenBucket;
import io.ratelimit.rules.Limit;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.Charge;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The arithmetic of a client's bucket: all limits of a spec, made once for all clients. Holds no state; a state has one
 * array of words for each limit, in their order, and nobody writes to it. Immutable; safe for use by any thread.
 */
public final class CompiledSpec {

    private static final SpecOrder NEWER_OR_TIGHTER = new SpecOrder();

    private final long version;
    private final List<Limit> limits;
    private final LimitAlgorithm[] algorithms;
    private final @Nullable EvenRates even;

    /** The limit that counts requests under way, of which a rule has one at most; -1 where there is none. */
    private final int inFlight;

    private final SlotLayout layout;
    private final CompiledSpec more;

    private CompiledSpec(long version, List<Limit> limits, LimitAlgorithm[] algorithms, @Nullable CompiledSpec more) {
        this.version = version;
        this.limits = limits;
        this.algorithms = algorithms;
        EvenRates rates = EvenRates.of(algorithms);
        this.inFlight = indexInFlight(algorithms);
        this.layout = SlotLayout.of(algorithms, rates != null && rates.count() == 1);
        this.even = layout.isOutside() ? null : rates;
        this.more = more == null ? this : more;
    }

    /**
     * Compiles a spec.
     *
     * @param spec the spec
     * @return its arithmetic
     * @throws IllegalArgumentException if a limit cannot be counted exactly
     */
    public static CompiledSpec of(BucketSpec spec) {
        return of(spec.version(), spec.limits(), LimitAlgorithm::of);
    }

    /**
     * Compiles limits with algorithms that the caller keeps.
     *
     * @param version the version of the rule set
     * @param limits at least one limit
     * @param algorithm the algorithm of a limit
     * @return their arithmetic
     * @throws IllegalArgumentException if there is no limit, or one cannot be counted exactly
     */
    public static CompiledSpec of(long version, List<Limit> limits, Function<Limit, LimitAlgorithm> algorithm) {
        if (limits.isEmpty()) {
            throw new IllegalArgumentException("a bucket needs at least one limit");
        }
        LimitAlgorithm[] algorithms = limits.stream().map(algorithm).toArray(LimitAlgorithm[]::new);
        LimitAlgorithm[] forMore =
                Arrays.stream(algorithms).map(LimitAlgorithm::forMore).toArray(LimitAlgorithm[]::new);
        List<Limit> copy = List.copyOf(limits);
        return new CompiledSpec(version, copy, algorithms, new CompiledSpec(version, copy, forMore, null));
    }

    private static int indexInFlight(LimitAlgorithm[] algorithms) {
        for (int i = 0; i < algorithms.length; i++) {
            if (algorithms[i].countsInFlight()) {
                return i;
            }
        }
        return -1;
    }

    /** The same limits, for what a charge of a kind may ask of them. */
    CompiledSpec as(Charge.Kind kind) {
        return kind == Charge.Kind.MORE || kind == Charge.Kind.LATE ? more : this;
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
     * What is counted.
     *
     * @return the limits, at least one
     */
    public List<Limit> limits() {
        return limits;
    }

    /**
     * How one limit counts.
     *
     * @param index its place
     * @return its arithmetic
     */
    public LimitAlgorithm algorithm(int index) {
        return algorithms[index];
    }

    /** The arithmetic of all limits, if they refill evenly and their states, a word each, lie in slots. */
    @Nullable
    EvenRates even() {
        return even;
    }

    /** Where a table has the states. */
    SlotLayout layout() {
        return layout;
    }

    /** Whether a limit counts requests that are under way. */
    boolean countsInFlight() {
        return inFlight >= 0;
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
     * @param now the time
     * @return one state for each limit
     */
    public long[][] full(Moment now) {
        return each(i -> algorithms[i].full(now));
    }

    /**
     * Whether nothing is missing under any limit, which is the same as no bucket.
     *
     * @param states the states
     * @param now the time
     * @return true if all limits are full
     */
    public boolean isFull(long[][] states, Moment now) {
        for (int i = 0; i < algorithms.length; i++) {
            if (!algorithms[i].isFull(states[i], now)) {
                return false;
            }
        }
        return true;
    }

    /**
     * The time after which all limits are full if nobody spends meanwhile.
     *
     * @param states the states
     * @param now the time
     * @return nanoseconds, rounded up; {@link LimitAlgorithm#NOT_BY_WAITING} where a request is under way
     */
    public long fullNanos(long[][] states, Moment now) {
        long longest = 0;
        for (int i = 0; i < algorithms.length; i++) {
            longest = Math.max(longest, algorithms[i].fullNanos(states[i], now));
        }
        return longest;
    }

    /**
     * States as they are to be kept now.
     *
     * @param states the states
     * @param written when they were written
     * @param now the time
     * @return the states to go on with
     */
    public long[][] refresh(long[][] states, Moment written, Moment now) {
        return each(i -> algorithms[i].refresh(states[i], written, now));
    }

    /**
     * The states that continue those of an earlier spec. A limit continues the same one; or else the one of its period
     * and algorithm, or only of its period, of which most was used; a limit without such a predecessor starts full.
     *
     * @param other the earlier spec
     * @param states its states
     * @param now the time
     * @return this spec's states
     */
    public long[][] carryOver(CompiledSpec other, long[][] states, Moment now) {
        return new SpecChange(other, this).carryOver(states, now);
    }

    /**
     * Whether a charge lets its request pass.
     *
     * @param states the states
     * @param now the time
     * @param kind what the charge has to say
     * @param cost tokens, at least 0
     * @param maxWaitNanos how long the tokens may take to come where a limit can owe them
     * @return true if it is admitted, or does not decide
     */
    public boolean lets(long[][] states, Moment now, Charge.Kind kind, long cost, long maxWaitNanos) {
        return !kind.decides() || as(kind).admits(states, now, cost, maxWaitNanos);
    }

    /**
     * Whether all limits admit a cost.
     *
     * @param states the states
     * @param now the time
     * @param cost tokens, at least 0
     * @param maxWaitNanos how long the tokens may take to come where a limit can owe them
     * @return true if it can be {@linkplain #spend spent}
     */
    boolean admits(long[][] states, Moment now, long cost, long maxWaitNanos) {
        for (int i = 0; i < algorithms.length; i++) {
            LimitAlgorithm limit = algorithms[i];
            boolean admits = maxWaitNanos == 0
                    ? limit.admits(states[i], now, cost)
                    : limit.isGranted(limit.waitNanos(states[i], now, cost), maxWaitNanos);
            if (!admits) {
                return false;
            }
        }
        return true;
    }

    /** As {@link #admits(long[][], Moment, long, long)} for a cost whose waits are known. */
    boolean admits(long[] waits, long maxWaitNanos) {
        for (int i = 0; i < algorithms.length; i++) {
            if (!algorithms[i].isGranted(waits[i], maxWaitNanos)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Spends tokens of all limits.
     *
     * @param states the states
     * @param now the time
     * @param cost tokens that all limits {@linkplain #admits admit}
     * @return the new states
     */
    public long[][] spend(long[][] states, Moment now, long cost) {
        return cost == 0 ? states : each(i -> algorithms[i].spend(states[i], now, cost));
    }

    /**
     * Spends tokens of all limits for a request that has passed already.
     *
     * @param states the states
     * @param now the time
     * @param cost tokens
     * @param allowedNanos how long it may take until what is owed has come, where that is longer than a bucket takes to
     *     fill
     * @return the new states
     */
    public long[][] spendLate(long[][] states, Moment now, long cost, long allowedNanos) {
        return each(i -> new LateCharge(limits.get(i), algorithms[i], allowedNanos).spend(states[i], now, cost));
    }

    /**
     * What becomes of the states when a charge is not admitted: those of the limits that refuse it may count it.
     *
     * @param states the states
     * @param now the time
     * @param cost tokens
     * @param waits the cost's {@link #waits}
     * @param maxWaitNanos how long the tokens may take to come where a limit can owe them
     * @return the new states, or the same array where nothing changes
     */
    long[][] refuse(long[][] states, Moment now, long cost, long[] waits, long maxWaitNanos) {
        long[][] refused = states;
        for (int i = 0; i < algorithms.length; i++) {
            if (!algorithms[i].isGranted(waits[i], maxWaitNanos)) {
                long[] after = algorithms[i].refuse(states[i], now, cost);
                if (after != states[i]) {
                    refused = refused == states ? states.clone() : refused;
                    refused[i] = after;
                }
            }
        }
        return refused;
    }

    /** What {@link #refund}, {@link #undo} and {@link #release} must know of a charge. */
    long[][] receipt(long[][] before, long[][] after) {
        return each(i -> algorithms[i].receipt(before[i], after[i]));
    }

    /**
     * Gives tokens of an earlier charge back, at most what it still holds under each limit. Limits that were changed
     * since the charge get nothing: what it held was rounded when it was carried over. A request that is under way stays
     * counted until it is {@linkplain #release released}.
     *
     * @param states the states
     * @param now the time
     * @param tokens tokens of the charge to give back
     * @param charged the spec that the charge was made under
     * @param receipt the charge's receipt
     * @return the new states
     */
    public long[][] refund(long[][] states, Moment now, long tokens, CompiledSpec charged, long[][] receipt) {
        return each(i -> {
            int same = charged.limits.indexOf(limits.get(i));
            return same < 0 ? states[i] : algorithms[i].refund(states[i], now, tokens, receipt[same]);
        });
    }

    /**
     * Takes an earlier charge back as if it had never been made. Limits that were changed since the charge get nothing,
     * but a request that is under way is no longer counted.
     *
     * @param states the states
     * @param now the time
     * @param tokens the charge's tokens, without those that were refunded before
     * @param cost all of them, which a request under way holds until it is released
     * @param charged the spec that the charge was made under
     * @param receipt the charge's receipt
     * @return the new states
     */
    public long[][] undo(long[][] states, Moment now, long tokens, long cost, CompiledSpec charged, long[][] receipt) {
        return each(i -> {
            boolean inFlight = algorithms[i].countsInFlight();
            int same = inFlight ? charged.inFlight : charged.limits.indexOf(limits.get(i));
            return same < 0 ? states[i] : algorithms[i].undo(states[i], now, inFlight ? cost : tokens, receipt[same]);
        });
    }

    /**
     * Ends a request that is under way: gives back what the limits that count such requests hold of it.
     *
     * @param states the states
     * @param now the time
     * @param cost the charge's tokens
     * @param charged the spec that the charge was made under
     * @param receipt the charge's receipt
     * @return the new states
     */
    long[][] release(long[][] states, Moment now, long cost, CompiledSpec charged, long[][] receipt) {
        return each(i -> charged.inFlight < 0
                ? states[i]
                : algorithms[i].release(states[i], now, cost, receipt[charged.inFlight]));
    }

    /**
     * What these limits say of states.
     *
     * @param states the states, after a charge was tried
     * @param now the time
     * @param waits the wait of the charge under each limit, from {@link #waits}
     * @param asked the spec that the charge was made under
     * @return the state of each limit of the spec that was asked for, in its order: where these are another spec's, the
     *     state of the limit of the same period; a wait of a limit that was not asked for stands at the first
     */
    public List<LimitState> describe(long[][] states, Moment now, long[] waits, CompiledSpec asked) {
        List<LimitState> own = new ArrayList<>(algorithms.length);
        for (int i = 0; i < algorithms.length; i++) {
            own.add(algorithms[i].describe(states[i], now, waits[i]));
        }
        return asked.translated(this, own);
    }

    /** What another spec's limits say, for whoever asked by this one. */
    List<LimitState> translated(CompiledSpec other, List<LimitState> states) {
        return other.equals(this) ? states : new SpecChange(other, this).translate(states);
    }

    /**
     * How long each limit makes a cost wait.
     *
     * @param states the states before the charge
     * @param now the time
     * @param cost tokens
     * @return nanoseconds for each limit, as {@link LimitAlgorithm#waitNanos} gives them
     */
    public long[] waits(long[][] states, Moment now, long cost) {
        long[] waits = new long[algorithms.length];
        for (int i = 0; i < algorithms.length; i++) {
            waits[i] = algorithms[i].waitNanos(states[i], now, cost);
        }
        return waits;
    }

    /**
     * The states with the fewest tokens of two.
     *
     * @param states states under these limits
     * @param others other states under these limits
     * @param now the time
     * @return for each limit the state that lets the least pass
     */
    public long[][] tighter(long[][] states, long[][] others, Moment now) {
        return each(i -> algorithms[i].tighter(states[i], others[i], now));
    }

    /** How many tokens each limit has less in other states than in some, at least 0. */
    long fewer(long[][] states, long[][] others, Moment now) {
        long fewer = Long.MAX_VALUE;
        for (int i = 0; i < algorithms.length; i++) {
            long less = algorithms[i].remaining(states[i], now) - algorithms[i].remaining(others[i], now);
            fewer = Math.min(fewer, Math.max(0, less));
        }
        return fewer;
    }

    /**
     * Spends tokens that were spent on another host. What limits that refill evenly do not hold is owed; others are
     * used up and owe nothing.
     *
     * @param times how many times its capacity a limit owes at most
     */
    long[][] owe(long[][] states, Moment now, SpentElsewhere spent, int times) {
        return each(i -> {
            long tokens = spent.missing(limits.get(i));
            if (tokens == 0) {
                return states[i];
            }
            if (algorithms[i] instanceof TokenBucket bucket) {
                long most = mostOwed(bucket, times);
                return new long[] {bucket.rate().owe(states[i][0], now.nanos(), spent.ageNanos(), tokens, most)};
            }
            return new LateCharge(limits.get(i), algorithms[i], 0).spend(states[i], now, tokens);
        });
    }

    /**
     * Gives tokens back of what was spent last. What is counted while it is under way is another host's to count.
     *
     * @param tokens at least 1
     */
    long[][] giveBack(long[][] states, Moment now, long tokens) {
        return each(i -> limits.get(i).isBlocked() || algorithms[i].countsInFlight()
                ? states[i]
                : giveBack(algorithms[i], states[i], now, tokens));
    }

    /** In parts that the bucket can hold, until it is full: it may owe more than that. */
    private static long[] giveBack(LimitAlgorithm algorithm, long[] state, Moment now, long tokens) {
        long[] given = state;
        long left = tokens;
        while (left > 0 && algorithm.fullNanos(given, now) > 0) {
            long part = Math.min(left, algorithm.capacity());
            long[] next = algorithm.refund(given, now, part, algorithm.receipt(given, given));
            if (Arrays.equals(next, given)) {
                return given;
            }
            given = next;
            left -= part;
        }
        return given;
    }

    /** The states with the fewest tokens of two: these, and what a shared store said, less what it does not know of. */
    long[][] fewest(long[][] states, SharedBucket seen, Moment now) {
        return each(i -> {
            SharedBucket.Seen limit = seen.limits().get(i);
            Moment then = now.minusNanos(Math.min(limit.ageNanos(), now.nanos()));
            long[] said = algorithms[i].ofSeen(limit.state(), then);
            long[] less = new LateCharge(limits.get(i), algorithms[i], Long.MAX_VALUE).spend(said, then, seen.untold());
            return algorithms[i].tighter(states[i], less, now);
        });
    }

    /** The states with the fewest tokens of two: these, and what another store said of the same buckets. */
    long[][] fewest(long[][] states, List<LimitState> seen, Moment now) {
        return tighter(states, each(i -> algorithms[i].ofSeen(seen.get(i), now)), now);
    }

    /**
     * A receipt as it can travel to a clock with another origin.
     *
     * @param receipt words for each limit
     * @param charged the time of the charge on this clock
     * @return words for each limit
     */
    public long[][] departReceipt(long[][] receipt, Moment charged) {
        return each(i -> algorithms[i].departReceipt(receipt[i], charged));
    }

    /**
     * A receipt that has arrived.
     *
     * @param departed words for each limit
     * @param charged the time of the charge on this clock
     * @param now the time on this clock
     * @return the receipt
     * @throws IllegalArgumentException if the words are none of these limits
     */
    public long[][] arriveReceipt(long[][] departed, Moment charged, Moment now) {
        checkCount(departed);
        return each(i -> algorithms[i].arriveReceipt(departed[i], charged, now));
    }

    /**
     * States as they can travel to a clock with another origin.
     *
     * @param states the states
     * @param now the time on this clock
     * @return words for each limit
     */
    public long[][] depart(long[][] states, Moment now) {
        return each(i -> algorithms[i].depart(states[i], now));
    }

    /**
     * States that have arrived.
     *
     * @param departed words for each limit
     * @param now the time on this clock
     * @return the states
     * @throws IllegalArgumentException if the words are none of these limits
     */
    public long[][] arrive(long[][] departed, Moment now) {
        checkCount(departed);
        return each(i -> algorithms[i].arrive(departed[i], now));
    }

    /**
     * States that have arrived, of which each limit that refills evenly owes no more than hosts can have let pass.
     *
     * @param times how many times its capacity a limit owes at most
     * @throws IllegalArgumentException if the words are none of these limits
     */
    long[][] arriveOwing(long[][] departed, Moment now, int times) {
        long[][] arrived = arrive(departed, now);
        return each(i -> {
            if (algorithms[i] instanceof TokenBucket bucket) {
                return new long[] {bucket.rate().owingAtMost(arrived[i][0], now.nanos(), mostOwed(bucket, times))};
            }
            return arrived[i];
        });
    }

    private static long mostOwed(TokenBucket bucket, int times) {
        return LongMath.saturatedMultiply(bucket.capacity(), times);
    }

    private void checkCount(long[][] departed) {
        if (departed.length != algorithms.length) {
            throw new IllegalArgumentException(
                    "a bucket of " + algorithms.length + " limits arrives with the words of " + departed.length);
        }
    }

    /** Words for each limit, from its place. */
    private long[][] each(IntFunction<long[]> words) {
        long[][] all = new long[algorithms.length][];
        Arrays.setAll(all, words);
        return all;
    }

    /** Specs are equal if they count alike under the same version. */
    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof CompiledSpec that && version == that.version && limits.equals(that.limits));
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(version) + limits.hashCode();
    }
}
