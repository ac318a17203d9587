package io.ratelimit.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.google.common.util.concurrent.FakeTimeRateLimiter;
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
import net.jqwik.api.Tuple;

class WarmUpPropertiesTest {

    private static final long MOST_COST = 100;

    /**
     * How much a step may add to the difference: Guava cuts each of the three parts of a cost (from the upper half of the
     * store, from the lower half, fresh) down to a microsecond.
     */
    private static final long GUAVA_STEP_NANOS = 3_000;

    /** A try to spend: how long after the one before, in thousandths of the warm-up period, and what it costs. */
    record Step(long restThousandths, int cost) {}

    @Property(tries = 1_000)
    void waitsAsLongAsGuava(@ForAll("limits") Limit limit, @ForAll("steps") List<Step> steps) {
        WarmUp ours = WarmUp.of(limit);
        FakeTimeRateLimiter guava = guava(limit);
        long nanos = 0;
        long[] state = ours.full(at(nanos));
        long tolerance = 0;
        for (Step step : steps) {
            long rest = restMicros(step, limit);
            guava.pause(rest);
            nanos += rest * 1_000;
            long wait = ours.waitNanos(state, at(nanos), step.cost);
            tolerance += GUAVA_STEP_NANOS;
            assertThat(wait).isCloseTo(guava.acquire(step.cost) * 1_000, within(tolerance));
            nanos += wait;
            state = ours.spend(state, at(nanos), step.cost);
        }
    }

    @Property(tries = 500)
    void reservesTheTurnsThatGuavaReserves(@ForAll("limits") Limit limit, @ForAll("steps") List<Step> steps) {
        WarmUp ours = WarmUp.of(limit);
        FakeTimeRateLimiter guava = guava(limit);
        long nanos = 0;
        long[] state = ours.full(at(nanos));
        long tolerance = 0;
        for (Step step : steps) {
            long rest = restMicros(step, limit);
            guava.pause(rest);
            nanos += rest * 1_000;
            tolerance += GUAVA_STEP_NANOS;
            assertThat(ours.waitNanos(state, at(nanos), step.cost))
                    .isCloseTo(guava.reserve(step.cost) * 1_000, within(tolerance));
            state = ours.spend(state, at(nanos), step.cost);
        }
    }

    @Property(tries = 500)
    void isNeverFasterThanTheStableRate(
            @ForAll("limits") Limit limit, @ForAll("steps") List<Step> steps, @ForAll("origins") long origin) {
        WarmUp warmUp = WarmUp.of(limit);
        long nanos = origin;
        long[] state = warmUp.full(at(nanos));
        for (Step step : steps) {
            nanos += restMicros(step, limit) * 1_000 + warmUp.waitNanos(state, at(nanos), step.cost);
            long before = nanos;
            state = warmUp.spend(state, at(nanos), step.cost);
            nanos += warmUp.waitNanos(state, at(nanos), 1);
            // Tokens admitted in the time until the next request, against tokens per period.
            assertThat(Math.multiplyExact(nanos - before, limit.tokens()))
                    .isGreaterThanOrEqualTo(step.cost * limit.period().toNanos());
        }
    }

    @Property(tries = 500)
    void keepsTheStableRateForeverOnceItIsWarm(@ForAll("limits") Limit limit, @ForAll("origins") long origin) {
        WarmUp warmUp = WarmUp.of(limit);
        // Nothing stored, free now.
        long[] state = warmUp.arrive(new long[] {0, 0, 0}, at(origin));
        for (int turn = 0; turn <= 50; turn++) {
            long exact = -Math.floorDiv(-turn * limit.period().toNanos(), limit.tokens());
            assertThat(warmUp.waitNanos(state, at(origin), 1)).isEqualTo(exact);
            state = warmUp.spend(state, at(origin), 1);
        }
    }

    @Property(tries = 500)
    void admitsAfterExactlyTheWaitThatItNamesAndNotANanosecondEarlier(
            @ForAll("limits") Limit limit, @ForAll("steps") List<Step> steps, @ForAll("origins") long origin) {
        WarmUp warmUp = WarmUp.of(limit);
        long nanos = origin;
        long[] state = warmUp.full(at(nanos));
        for (Step step : steps) {
            nanos += restMicros(step, limit) * 1_000;
            long wait = warmUp.waitNanos(state, at(nanos), step.cost);
            if (wait > 0) {
                assertThat(warmUp.admits(state, at(nanos + wait - 1), step.cost))
                        .isFalse();
                assertThat(warmUp.remaining(state, at(nanos + wait - 1))).isZero();
            }
            nanos += wait;
            assertThat(warmUp.remaining(state, at(nanos))).isEqualTo(limit.capacity());
            assertThat(warmUp.admits(state, at(nanos), step.cost)).isTrue();
            state = warmUp.spend(state, at(nanos), step.cost);
            long full = warmUp.fullNanos(state, at(nanos));
            assertThat(warmUp.isFull(state, at(nanos + full - 1))).isFalse();
            assertThat(warmUp.isFull(state, at(nanos + full))).isTrue();
        }
    }

    @Property(tries = 500)
    void aRefundNeverServesAnybodyEarlierThanWithoutTheChargeOrWithoutTheRefund(
            @ForAll("limits") Limit limit,
            @ForAll("steps") List<Step> before,
            @ForAll("steps") List<Step> between,
            @ForAll("steps") List<Step> after,
            @ForAll("costs") int cost) {
        WarmUp warmUp = WarmUp.of(limit);
        long nanos = 0;
        long[] without = warmUp.full(at(nanos));
        for (Step step : before) {
            nanos += restMicros(step, limit) * 1_000;
            without = warmUp.spend(without, at(nanos), step.cost);
        }
        long[] with = warmUp.spend(without, at(nanos), cost);
        long[] receipt = warmUp.receipt(without, with);
        for (Step step : between) {
            nanos += restMicros(step, limit) * 20;
            with = warmUp.spend(with, at(nanos), step.cost);
            without = warmUp.spend(without, at(nanos), step.cost);
        }
        long[] refunded = warmUp.refund(with, at(nanos), cost, receipt);
        for (Step step : after) {
            long soonest = Math.min(warmUp.waitNanos(with, at(nanos), 1), warmUp.waitNanos(without, at(nanos), 1));
            assertThat(warmUp.waitNanos(refunded, at(nanos), 1)).isGreaterThanOrEqualTo(soonest - 1);
            refunded = warmUp.spend(refunded, at(nanos), step.cost);
            with = warmUp.spend(with, at(nanos), step.cost);
            without = warmUp.spend(without, at(nanos), step.cost);
        }
    }

    @Property(tries = 500)
    void aRefundAtOnceLeavesNoTraceWhileTheStoreIsNotEmpty(
            @ForAll("limits") Limit limit, @ForAll("steps") List<Step> steps, @ForAll("costs") int cost) {
        WarmUp warmUp = WarmUp.of(limit);
        long nanos = 0;
        long[] without = warmUp.full(at(nanos));
        for (Step step : steps) {
            nanos += restMicros(step, limit) * 1_000;
            without = warmUp.spend(without, at(nanos), step.cost);
        }
        long[] with = warmUp.spend(without, at(nanos), cost);
        long[] receipt = with;
        with = warmUp.spend(with, at(nanos), 7);
        long[] refunded = warmUp.refund(with, at(nanos), cost, receipt);
        if (with[0] > 0) {
            assertThat(refunded).isEqualTo(warmUp.spend(without, at(nanos), 7));
        }
    }

    @Provide
    Arbitrary<Limit> limits() {
        Arbitrary<Long> tokens = Arbitraries.longs().between(1, 5_000);
        Arbitrary<Duration> periods =
                Arbitraries.of(Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofMinutes(1));
        Arbitrary<Long> warmUps = Arbitraries.longs().between(1_000, 600_000_000);
        return Combinators.combine(tokens, periods, warmUps)
                .as((n, period, micros) -> new Limit(
                        n,
                        period,
                        MOST_COST,
                        Algorithm.WARM_UP,
                        LimitOptions.NONE.withWarmUp(Duration.ofNanos(micros * 1_000))));
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        Arbitrary<Long> rests = Arbitraries.frequencyOf(
                Tuple.of(2, Arbitraries.just(0L)),
                Tuple.of(3, Arbitraries.longs().between(0, 1_200)));
        return Combinators.combine(rests, costs()).as(Step::new).list().ofMaxSize(30);
    }

    @Provide
    Arbitrary<Integer> costs() {
        return Arbitraries.integers().between(1, (int) MOST_COST);
    }

    @Provide
    Arbitrary<Long> origins() {
        return Arbitraries.longs().between(0, Duration.ofDays(36_500).toNanos());
    }

    private static FakeTimeRateLimiter guava(Limit limit) {
        double perSecond = limit.tokens() * 1e9 / limit.period().toNanos();
        return new FakeTimeRateLimiter(perSecond, warmUpMicros(limit));
    }

    private static long warmUpMicros(Limit limit) {
        return limit.options().warmUp().toNanos() / 1_000;
    }

    private static long restMicros(Step step, Limit limit) {
        return warmUpMicros(limit) * step.restThousandths / 1_000;
    }

    private static Moment at(long nanos) {
        return Moment.ofNanos(nanos);
    }
}
