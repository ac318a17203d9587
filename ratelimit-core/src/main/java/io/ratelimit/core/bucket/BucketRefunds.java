package io.ratelimit.core.bucket;

import com.google.common.math.LongMath;
import io.ratelimit.core.algorithm.GivenBack;
import io.ratelimit.core.algorithm.LimitAlgorithm;
import io.ratelimit.core.algorithm.Moment;
import io.ratelimit.rules.Limit;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * What was given back to one bucket lately, so that nothing is given back that has come back by itself ({@link GivenBack}).
 * Limits of rules before are kept, for charges that were made under them. Immutable.
 */
public final class BucketRefunds {

    /** Nothing was given back. */
    public static final BucketRefunds NONE = new BucketRefunds(Map.of(), 0);

    /** What {@link #totals} answers where nothing was given back. */
    static final long[] NO_TOTALS = {};

    private static final long[][] NO_WORDS = {};

    private final Map<Limit, GivenBack> byLimit;
    private final long untilNanos;

    private BucketRefunds(Map<Limit, GivenBack> byLimit, long untilNanos) {
        this.byLimit = byLimit;
        this.untilNanos = untilNanos;
    }

    /**
     * How much longer this is of use: until everything has come back that was charged before the last refund.
     *
     * @param now the time
     * @return nanoseconds; 0 if it is of no more use
     */
    public long usefulNanos(Moment now) {
        return byLimit.isEmpty() ? 0 : Math.max(0, untilNanos - now.nanos());
    }

    /**
     * What the receipt of a charge that is made now must remember.
     *
     * @param spec the limits that it is made under
     * @return how much was given back in all, under each limit; empty where nothing was
     */
    public long[] totals(CompiledSpec spec) {
        return byLimit.isEmpty()
                ? NO_TOTALS
                : spec.limits().stream()
                        .mapToLong(limit -> under(limit).total())
                        .toArray();
    }

    /**
     * A receipt's words by which to give back now.
     *
     * @param charged the limits that the charge was made under
     * @param receipt its words, as it was made
     * @param then when that was
     * @param totalsThen what {@link #totals} was then
     * @param now the time
     * @return the words of a charge that comes back earlier, if it does
     */
    public long[][] words(CompiledSpec charged, long[][] receipt, Moment then, long[] totalsThen, Moment now) {
        long[][] words = receipt.clone();
        for (int i = 0; i < words.length; i++) {
            GivenBack known = under(charged.limits().get(i));
            words[i] = charged.algorithm(i).moved(words[i], then, at(totalsThen, i), known, now);
        }
        return words;
    }

    /**
     * Takes note of a refund.
     *
     * @param charged the limits that the charge was made under
     * @param receipt its words, as it was made
     * @param totalsThen what {@link #totals} was then
     * @param inForce the limits in force
     * @param before the states that the refund found
     * @param after the states that it left
     * @param now the time
     * @return what is known now; this where nothing has changed
     */
    public BucketRefunds plus(
            CompiledSpec charged,
            long[][] receipt,
            long[] totalsThen,
            CompiledSpec inForce,
            long[][] before,
            long[][] after,
            Moment now) {
        Map<Limit, GivenBack> news = new HashMap<>();
        long until = untilNanos;
        for (int i = 0; i < before.length; i++) {
            Limit limit = inForce.limits().get(i);
            int same = charged.limits().indexOf(limit);
            if (same < 0) {
                continue;
            }
            LimitAlgorithm algorithm = inForce.algorithm(i);
            GivenBack old = under(limit);
            GivenBack known = algorithm.noted(old, receipt[same], at(totalsThen, same), before[i], after[i], now);
            if (known.total() != old.total()) {
                news.put(limit, known);
                until = Math.max(until, LongMath.saturatedAdd(now.nanos(), algorithm.fullNanos(before[i], now)));
            }
        }
        if (news.isEmpty()) {
            return this;
        }
        Map<Limit, GivenBack> all = new HashMap<>(byLimit);
        all.putAll(news);
        return new BucketRefunds(all, until);
    }

    /**
     * What is of use to a keeper whose clock has another origin.
     *
     * @param spec the limits in force
     * @param now the time on this clock
     * @return words for the time, and for each limit; empty where nothing was given back
     */
    public long[][] depart(CompiledSpec spec, Moment now) {
        long useful = usefulNanos(now);
        if (useful == 0) {
            return NO_WORDS;
        }
        long[][] words = new long[spec.limits().size() + 1][];
        words[0] = new long[] {useful};
        for (int i = 1; i < words.length; i++) {
            GivenBack known = under(spec.limits().get(i - 1));
            words[i] = known.depart(spec.algorithm(i - 1).place(now));
        }
        return words;
    }

    /**
     * What has arrived.
     *
     * @param spec the limits in force
     * @param departed what {@link #depart} gave
     * @param now the time on this clock
     * @return what was given back
     * @throws IllegalArgumentException if the words are none of these limits
     */
    public static BucketRefunds arrive(CompiledSpec spec, long[][] departed, Moment now) {
        if (departed.length == 0) {
            return NONE;
        }
        if (departed.length != spec.limits().size() + 1 || departed[0].length != 1) {
            throw new IllegalArgumentException("what was given back arrives as " + Arrays.deepToString(departed));
        }
        Map<Limit, GivenBack> byLimit = new HashMap<>();
        for (int i = 1; i < departed.length; i++) {
            byLimit.put(
                    spec.limits().get(i - 1),
                    GivenBack.arrive(departed[i], spec.algorithm(i - 1).place(now)));
        }
        return new BucketRefunds(byLimit, LongMath.saturatedAdd(now.nanos(), departed[0][0]));
    }

    private GivenBack under(Limit limit) {
        return byLimit.getOrDefault(limit, GivenBack.NOTHING);
    }

    private static long at(long[] totals, int limit) {
        return limit < totals.length ? totals[limit] : 0;
    }
}
