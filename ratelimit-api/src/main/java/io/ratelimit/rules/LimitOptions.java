package io.ratelimit.rules;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a limit departs from the plain form of its algorithm. {@link Limit} checks which options go with which algorithm.
 *
 * @param refill how a token bucket refills
 * @param alignment when windows and intervals begin
 * @param precision of a sliding window counter: how many sub-windows make a period, at least 1
 * @param minInterval the least time between two requests that cost something; zero for none
 * @param chargeRefused whether a request that this limit refuses counts as if it had passed
 * @param penalty a longer refusal after several; null for none
 * @param warmUp of {@code warm-up}: how long the rate climbs from cold to stable; zero for other algorithms
 * @param adaptive of {@code concurrency}: whether the limit is learned from response times, the tokens being where it
 *     starts
 */
public record LimitOptions(
        Refill refill,
        Alignment alignment,
        int precision,
        Duration minInterval,
        boolean chargeRefused,
        @Nullable Penalty penalty,
        Duration warmUp,
        boolean adaptive) {

    /** The plain form of an algorithm. */
    public static final LimitOptions NONE = new LimitOptions(
            Refill.GREEDY, new Alignment.Client(), 1, Duration.ZERO, false, null, Duration.ZERO, false);

    /**
     * The same options with another refill.
     *
     * @param value how a token bucket refills
     * @return the options
     */
    public LimitOptions withRefill(Refill value) {
        return new LimitOptions(value, alignment, precision, minInterval, chargeRefused, penalty, warmUp, adaptive);
    }

    /**
     * The same options with another alignment.
     *
     * @param value when windows and intervals begin
     * @return the options
     */
    public LimitOptions withAlignment(Alignment value) {
        return new LimitOptions(refill, value, precision, minInterval, chargeRefused, penalty, warmUp, adaptive);
    }

    /**
     * The same options with another precision.
     *
     * @param value how many sub-windows make a period
     * @return the options
     */
    public LimitOptions withPrecision(int value) {
        return new LimitOptions(refill, alignment, value, minInterval, chargeRefused, penalty, warmUp, adaptive);
    }

    /**
     * The same options with another spacing.
     *
     * @param value the least time between two requests; zero for none
     * @return the options
     */
    public LimitOptions withMinInterval(Duration value) {
        return new LimitOptions(refill, alignment, precision, value, chargeRefused, penalty, warmUp, adaptive);
    }

    /**
     * The same options with refused requests counted.
     *
     * @param value whether a request that the limit refuses counts as if it had passed
     * @return the options
     */
    public LimitOptions withChargeRefused(boolean value) {
        return new LimitOptions(refill, alignment, precision, minInterval, value, penalty, warmUp, adaptive);
    }

    /**
     * The same options with another penalty.
     *
     * @param value the penalty; null for none
     * @return the options
     */
    public LimitOptions withPenalty(@Nullable Penalty value) {
        return new LimitOptions(refill, alignment, precision, minInterval, chargeRefused, value, warmUp, adaptive);
    }

    /**
     * The same options with another warm-up.
     *
     * @param value how long the rate climbs
     * @return the options
     */
    public LimitOptions withWarmUp(Duration value) {
        return new LimitOptions(refill, alignment, precision, minInterval, chargeRefused, penalty, value, adaptive);
    }

    /**
     * The same options with a learned limit.
     *
     * @param value whether the limit is learned
     * @return the options
     */
    public LimitOptions withAdaptive(boolean value) {
        return new LimitOptions(refill, alignment, precision, minInterval, chargeRefused, penalty, warmUp, value);
    }
}
