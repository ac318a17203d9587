package io.ratelimit.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.LimitState;
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
import net.jqwik.api.RandomDistribution;

class CellRatePropertiesTest {

    private static final long CENTURY_NANOS = Duration.ofDays(36_500).toNanos();

    /** A try to spend: how long after the one before, and what part of the capacity, in thousandths. */
    record Step(long pauseNanos, long thousandths, long extra) {}

    @Property(tries = 2_000)
    void admitsExactlyWhatTheDefinitionAdmits(
            @ForAll("limits") Limit limit, @ForAll("origins") long origin, @ForAll("steps") List<Step> steps) {
        CellRate bucket = CellRate.of(limit);
        ExactBucket exact = new ExactBucket(limit, bucket.nanosPerTick());
        exact.remaining(origin);
        long state = bucket.full(origin);
        long nanos = origin;
        for (Step step : steps) {
            nanos += pause(step, limit);
            long cost = cost(step, limit);
            assertThat(bucket.waitNanos(state, nanos, cost)).isEqualTo(exact.waitNanos(nanos, cost));
            boolean admitted = bucket.admits(state, nanos, cost);
            assertThat(admitted).isEqualTo(exact.spend(nanos, cost));
            if (admitted) {
                state = bucket.spend(state, nanos, cost);
            }
            assertThat(bucket.remaining(state, nanos)).isEqualTo(exact.remaining(nanos));
        }
    }

    @Property(tries = 1_000)
    void admitsAfterExactlyTheWaitThatItNamesAndNotATickEarlier(
            @ForAll("limits") Limit limit, @ForAll("origins") long origin, @ForAll("steps") List<Step> steps) {
        CellRate bucket = CellRate.of(limit);
        long state = bucket.full(origin);
        long nanos = origin;
        for (Step step : steps) {
            nanos += pause(step, limit);
            long cost = Math.max(1, cost(step, limit));
            long wait = bucket.waitNanos(state, nanos, cost);
            if (wait == LimitState.NEVER) {
                assertThat(cost).isGreaterThan(limit.capacity());
                continue;
            }
            if (wait > 0) {
                assertThat(bucket.admits(state, nanos + wait - bucket.nanosPerTick(), cost))
                        .isFalse();
            }
            // Waits of a century each add up to more than the 292 years that a long of nanoseconds holds.
            if (nanos > CENTURY_NANOS || wait > Long.MAX_VALUE - nanos) {
                return;
            }
            nanos += wait;
            assertThat(bucket.admits(state, nanos, cost)).isTrue();
            state = bucket.spend(state, nanos, cost);
        }
    }

    @Property(tries = 1_000)
    void aRefundNeverLeavesMoreThanIfTheChargeHadNotBeen(
            @ForAll("limits") Limit limit, @ForAll("steps") List<Step> steps, @ForAll("steps") List<Step> later) {
        CellRate bucket = CellRate.of(limit);
        long with = bucket.full(0);
        long nanos = 0;
        for (Step step : steps) {
            nanos += pause(step, limit);
            with = spendIfAdmitted(bucket, with, nanos, cost(step, limit));
        }
        long without = with;
        long charge = bucket.remaining(with, nanos);
        with = bucket.spend(with, nanos, charge);
        long stateAfterCharge = with;
        for (Step step : later) {
            nanos += pause(step, limit);
            long cost = cost(step, limit);
            if (bucket.admits(with, nanos, cost)) {
                with = bucket.spend(with, nanos, cost);
                without = bucket.spend(without, nanos, cost);
            }
        }
        with = bucket.refund(with, nanos, charge, stateAfterCharge);
        assertThat(bucket.used(with, nanos)).isGreaterThanOrEqualTo(bucket.used(without, nanos));
    }

    /** A charge of a run in which some are given back later, and when it is, in turns of the run. */
    record Refunded(long cost, long pauseThousandths, int turn) {}

    @Property(tries = 3_000)
    void severalRefundsNeverLeaveMoreThanIfTheirChargesHadNotBeen(
            @ForAll("refunded") List<Refunded> script, @ForAll boolean whereTheCircleTurns) {
        Limit limit = Limit.of(10, Duration.ofSeconds(10));
        CellRate bucket = CellRate.of(limit);
        // A keeper that keeps 63 bits, at a time at which they turn negative.
        long origin = whereTheCircleTurns ? (1L << 62) - 3_000_000_000L : 0;
        long state = kept(bucket.full(origin));
        GivenBack known = GivenBack.NOTHING;
        long[] after = new long[script.size()];
        long[] before = new long[script.size()];
        long[] times = new long[script.size()];
        boolean[] made = new boolean[script.size()];
        boolean[] refunded = new boolean[script.size()];
        long nanos = origin;
        for (int turn = 0; turn < script.size(); turn++) {
            nanos += script.get(turn).pauseThousandths() * 5_000_000;
            times[turn] = nanos;
            for (int i = 0; i < turn; i++) {
                if (made[i] && script.get(i).turn() == turn) {
                    long moved = bucket.moved(after[i], times[i], before[i], known, nanos);
                    long back = bucket.refund(state, nanos, script.get(i).cost(), moved);
                    known = bucket.noted(known, after[i], before[i], state, back, nanos);
                    state = kept(back);
                    refunded[i] = true;
                }
            }
            long without = bucket.full(origin);
            for (int i = 0; i < turn; i++) {
                without = made[i] && !refunded[i]
                        ? bucket.spend(without, times[i], script.get(i).cost())
                        : without;
            }
            assertThat(bucket.used(state, nanos)).isGreaterThanOrEqualTo(bucket.used(without, nanos));
            made[turn] = bucket.admits(state, nanos, script.get(turn).cost());
            state = made[turn] ? bucket.spend(state, nanos, script.get(turn).cost()) : state;
            after[turn] = state;
            state = kept(state);
            before[turn] = known.total();
        }
    }

    private static long kept(long state) {
        return state << 1 >> 1;
    }

    @Provide
    Arbitrary<List<Refunded>> refunded() {
        return Combinators.combine(
                        Arbitraries.longs().between(1, 6),
                        Arbitraries.longs().between(0, 1_000),
                        Arbitraries.integers().between(1, 20))
                .as(Refunded::new)
                .list()
                .ofMaxSize(20);
    }

    @Property(tries = 500)
    void aFullBucketStaysFullHoweverLongItRests(@ForAll("limits") Limit limit, @ForAll("steps") List<Step> steps) {
        CellRate bucket = CellRate.of(limit);
        long state = bucket.spend(bucket.full(0), 0, limit.capacity());
        long full = bucket.fullNanos(state, 0);
        // Whoever keeps states forgets full ones within three times half an hour.
        for (long rest : new long[] {0, 1_000_000, 60_000_000_000L, 5_400_000_000_000L}) {
            assertThat(bucket.isFull(state, full + rest)).isTrue();
            assertThat(bucket.remaining(state, full + rest)).isEqualTo(limit.capacity());
        }
    }

    @Provide
    Arbitrary<Limit> limits() {
        Arbitrary<Long> tokens =
                Arbitraries.longs().between(1, 1_000_000_000_000L).withDistribution(RandomDistribution.biased());
        Arbitrary<Long> periods = Arbitraries.of(
                1_000_000_000L,
                10_000_000_000L,
                60_000_000_000L,
                900_000_000_000L,
                3_600_000_000_000L,
                86_400_000_000_000L,
                2_592_000_000_000_000L,
                31_536_000_000_000_000L,
                333_333_333L,
                7_000_001L);
        Arbitrary<Long> bursts = Arbitraries.longs().between(1, 1_000_000);
        return Combinators.combine(tokens, periods, bursts, Arbitraries.of(true, false))
                .as((n, period, burst, ownBurst) -> limit(n, period, ownBurst ? burst : n))
                .filter(limit -> accepted(limit));
    }

    @Provide
    Arbitrary<Long> origins() {
        return Arbitraries.longs().between(0, CENTURY_NANOS);
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        Arbitrary<Long> pauses = Arbitraries.longs().between(0, 20_000_000_000L);
        Arbitrary<Long> thousandths = Arbitraries.longs().between(0, 1_001);
        Arbitrary<Long> extras = Arbitraries.longs().between(0, 3);
        return Combinators.combine(pauses, thousandths, extras)
                .as(Step::new)
                .list()
                .ofMaxSize(30);
    }

    private static Limit limit(long tokens, long periodNanos, long capacity) {
        return new Limit(tokens, Duration.ofNanos(periodNanos), capacity, Algorithm.TOKEN_BUCKET);
    }

    private static boolean accepted(Limit limit) {
        try {
            CellRate.of(limit);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static long pause(Step step, Limit limit) {
        return step.pauseNanos % 3 == 0 ? 0 : step.pauseNanos % limit.period().toNanos();
    }

    private static long cost(Step step, Limit limit) {
        return limit.capacity() / 1_000 * step.thousandths + step.extra;
    }

    private static long spendIfAdmitted(CellRate bucket, long state, long nanos, long cost) {
        return bucket.admits(state, nanos, cost) ? bucket.spend(state, nanos, cost) : state;
    }
}
