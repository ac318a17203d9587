package io.ratelimit.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

class SlidingWindowLogPropertiesTest {

    @Property(tries = 1_000)
    void admitsWaitsAndRefundsAsDefined(
            @ForAll("limits") Limit limit,
            @ForAll @IntRange(max = 1_000) int origin,
            @ForAll("steps") List<WindowScript.Step> steps) {
        new WindowScript(
                        limit, SlidingWindowLog.of(limit), new LogDefinition(limit), WindowScript.origin(limit, origin))
                .run(steps);
    }

    @Property(tries = 300)
    void aRefusedChargeIsWrittenDownAndTheNewestStay(
            @ForAll("limits") Limit limit, @ForAll @IntRange(max = 999) int used, @ForAll @IntRange(min = 1) int cost) {
        SlidingWindowLog log = SlidingWindowLog.of(limit);
        long[] before = log.ofUsed(limit.capacity() * used / 1_000, Moment.ofNanos(0));
        Moment now = Moment.ofNanos(limit.period().toNanos() / 3 * 2);
        long tooMuch = log.remaining(before, now) + cost;
        long[] after = log.spendRefused(before, now, tooMuch);
        assertThat(log.remaining(after, now)).isZero();
        assertThat(after).hasSize((int) limit.tokens());
        assertThat(log.remaining(after, Moment.ofNanos(limit.period().toNanos())))
                .isEqualTo(Math.max(0, limit.tokens() - tooMuch));
    }

    @Provide
    Arbitrary<Limit> limits() {
        Arbitrary<Long> tokens = Arbitraries.oneOf(
                Arbitraries.of(1L, 2L, 10L, 10_000L), Arbitraries.longs().between(1, 2_000));
        Arbitrary<Long> periods = Arbitraries.oneOf(
                Arbitraries.of(3L, 1_000_000_000L, 60_000_000_000L, Limit.LONGEST_PERIOD.toNanos()),
                Arbitraries.longs().between(3, Limit.LONGEST_PERIOD.toNanos()));
        return Combinators.combine(tokens, periods)
                .as((n, period) -> new Limit(n, Duration.ofNanos(period), n, Algorithm.SLIDING_WINDOW_LOG));
    }

    @Provide
    Arbitrary<List<WindowScript.Step>> steps() {
        return WindowScript.steps();
    }
}
