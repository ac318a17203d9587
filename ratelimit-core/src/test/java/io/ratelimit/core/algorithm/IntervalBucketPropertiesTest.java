package io.ratelimit.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.LimitOptions;
import io.ratelimit.rules.Refill;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

class IntervalBucketPropertiesTest {

    @Property(tries = 1_000)
    void admitsWaitsAndRefundsAsDefined(
            @ForAll("limits") Limit limit,
            @ForAll @IntRange(max = 1_000) int origin,
            @ForAll("steps") List<WindowScript.Step> steps) {
        new WindowScript(
                        limit,
                        IntervalBucket.of(limit),
                        new IntervalDefinition(limit),
                        WindowScript.origin(limit, origin))
                .run(steps);
    }

    @Property(tries = 300)
    void aRefusedChargeLeavesNothingAndNoDebt(
            @ForAll("limits") Limit limit, @ForAll @IntRange(max = 999) int used, @ForAll @IntRange(min = 1) int cost) {
        IntervalBucket bucket = IntervalBucket.of(limit);
        Moment now = Moment.ofNanos(77);
        long[] state = bucket.ofUsed(limit.capacity() / 1_000 * used, now);
        long tooMuch = bucket.remaining(state, now) + cost;
        long[] after = bucket.spendRefused(state, now, tooMuch);
        assertThat(bucket.remaining(after, now)).isZero();
        assertThat(bucket.waitNanos(after, now, 1)).isEqualTo(limit.period().toNanos());
    }

    @Provide
    Arbitrary<Limit> limits() {
        Arbitrary<Long> tokens = Arbitraries.oneOf(
                Arbitraries.of(1L, 2L, 10L, Limit.MOST_TOKENS),
                Arbitraries.longs().between(1, Limit.MOST_TOKENS));
        Arbitrary<Long> periods = Arbitraries.oneOf(
                Arbitraries.of(1L, 2L, 1_000_000_000L, 60_000_000_000L, 2_592_000_000_000_000L),
                Arbitraries.longs().between(1, Limit.LONGEST_PERIOD.toNanos()));
        Arbitrary<Long> capacityParts = Arbitraries.longs().between(1, 5_000);
        return Combinators.combine(tokens, periods, capacityParts)
                .as((n, period, part) -> limit(
                        n,
                        Math.min(period, Limit.LONGEST_PERIOD.toNanos() / 5 * (part > 1_000 ? 1 : 5)),
                        part % 3 == 0 ? n : Math.max(1, Math.min(Limit.MOST_TOKENS, n * part / 1_000))));
    }

    @Provide
    Arbitrary<List<WindowScript.Step>> steps() {
        return WindowScript.steps();
    }

    private static Limit limit(long tokens, long periodNanos, long capacity) {
        return new Limit(
                tokens,
                Duration.ofNanos(periodNanos),
                capacity,
                Algorithm.TOKEN_BUCKET,
                LimitOptions.NONE.withRefill(Refill.INTERVAL));
    }
}
