package io.ratelimit.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.LimitOptions;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

class SlidingWindowCounterPropertiesTest {

    @Property(tries = 1_000)
    void admitsWaitsAndRefundsAsDefined(
            @ForAll("limits") Limit limit,
            @ForAll @IntRange(max = 1_000) int origin,
            @ForAll("steps") List<WindowScript.Step> steps) {
        new WindowScript(
                        limit,
                        SlidingWindowCounter.of(limit),
                        new CounterDefinition(limit),
                        WindowScript.origin(limit, origin))
                .run(steps);
    }

    @Property(tries = 300)
    void aRefusedChargeLeavesNothingAndNoDebt(
            @ForAll("limits") Limit limit, @ForAll @IntRange(max = 999) int used, @ForAll @IntRange(min = 1) int cost) {
        SlidingWindowCounter counter = SlidingWindowCounter.of(limit);
        long[] before = counter.ofUsed(limit.capacity() / 1_000 * used, Moment.ofNanos(0));
        Moment now = Moment.ofNanos(limit.period().toNanos() / 3 * 2);
        long[] after = counter.spendRefused(before, now, counter.remaining(before, now) + cost);
        assertThat(counter.remaining(after, now)).isZero();
        assertThat(counter.fullNanos(after, now))
                .isLessThanOrEqualTo(2 * limit.period().toNanos());
    }

    @Property(tries = 300)
    void whatWasUsedStaysUsedUnderASmallerOrLargerLimit(
            @ForAll("limits") Limit limit,
            @ForAll @IntRange(max = 1_000) int first,
            @ForAll @IntRange(max = 1_000) int second,
            @ForAll @IntRange(min = 1, max = 4_000) int change) {
        long other = Math.max(1, Math.min(Limit.MOST_TOKENS, limit.tokens() / 1_000 * change));
        SlidingWindowCounter before = SlidingWindowCounter.of(limit);
        SlidingWindowCounter after = SlidingWindowCounter.of(
                new Limit(other, limit.period(), other, Algorithm.SLIDING_WINDOW_COUNTER, limit.options()));
        long[] state = before.ofUsed(limit.tokens() / 1_000 * first, Moment.ofNanos(0));
        Moment now = Moment.ofNanos(limit.period().toNanos() / 7 * 8);
        long more = before.remaining(state, now) / 1_000 * second;
        state = more == 0 ? state : before.spend(state, now, more);
        long used = limit.tokens() - before.remaining(state, now);
        long[] carried = after.carryOver(before, state, now);
        assertThat(after.remaining(carried, now)).isEqualTo(Math.max(0, other - used));
        assertThat(after.fullNanos(carried, now))
                .isLessThanOrEqualTo(2 * limit.period().toNanos());
    }

    @Provide
    Arbitrary<Limit> limits() {
        Arbitrary<Long> tokens = Arbitraries.oneOf(
                Arbitraries.of(1L, 2L, 10L, Limit.MOST_TOKENS),
                Arbitraries.longs().between(1, Limit.MOST_TOKENS));
        Arbitrary<Long> windows = Arbitraries.oneOf(
                Arbitraries.of(1L, 7L, 1_000_000_000L, 60_000_000_000L, Long.MAX_VALUE),
                Arbitraries.longs().between(1, Limit.LONGEST_PERIOD.toNanos()));
        Arbitrary<Integer> precisions = Arbitraries.of(1, 1, 2, 3, 5, 60, 1_000);
        return Combinators.combine(tokens, windows, precisions)
                .as((n, window, precision) ->
                        limit(n, Math.min(window, Limit.LONGEST_PERIOD.toNanos() / precision) * precision, precision));
    }

    @Provide
    Arbitrary<List<WindowScript.Step>> steps() {
        return WindowScript.steps();
    }

    private static Limit limit(long tokens, long periodNanos, int precision) {
        return new Limit(
                tokens,
                Duration.ofNanos(periodNanos),
                tokens,
                Algorithm.SLIDING_WINDOW_COUNTER,
                LimitOptions.NONE.withPrecision(precision));
    }
}
