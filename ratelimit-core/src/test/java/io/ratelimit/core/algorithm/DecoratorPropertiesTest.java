package io.ratelimit.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.LimitState;
import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.LimitOptions;
import io.ratelimit.rules.Penalty;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The options against their definitions, written down as the times of what was admitted and refused. */
class DecoratorPropertiesTest {

    private static final long PERIOD = 1_000;
    private static final Duration MIN_INTERVAL = Duration.ofNanos(60);
    private static final Penalty PENALTY = new Penalty(3, Duration.ofNanos(400));

    /** A try to spend: how long after the one before, sometimes a little earlier. */
    record Step(long pause, long cost) {}

    @Property(tries = 1_000)
    void spacedRequestsLieTheIntervalApart(
            @ForAll("algorithms") LimitAlgorithm inner, @ForAll("steps") List<Step> steps) {
        Spaced spaced = new Spaced(inner, MIN_INTERVAL);
        long nanos = 1_000;
        long[] state = spaced.full(at(nanos));
        long[] plain = inner.full(at(nanos));
        long next = 0;
        for (Step step : steps) {
            nanos += step.pause;
            long wait = both(inner.waitNanos(plain, at(nanos), step.cost), next - nanos, step.cost);
            long remaining = inner.remaining(plain, at(nanos));
            if (next > nanos) {
                assertThat(spaced.waitNanos(state, at(nanos), step.cost)).isEqualTo(wait);
                assertThat(spaced.remaining(state, at(nanos))).isEqualTo(remaining);
            } else {
                check(spaced, state, nanos, step.cost, wait, remaining);
            }
            if (wait == 0 && step.cost > 0) {
                state = spaced.spend(state, at(nanos), step.cost);
                plain = inner.spend(plain, at(nanos), step.cost);
                next = nanos + MIN_INTERVAL.toNanos();
            } else if (wait != 0) {
                assertThat(spaced.refuse(state, at(nanos), step.cost)).isSameAs(state);
            }
        }
    }

    @Property(tries = 1_000)
    void penaltiesFollowTheRefusals(@ForAll("algorithms") LimitAlgorithm inner, @ForAll("steps") List<Step> steps) {
        Penalised penalised = new Penalised(inner, PENALTY, Duration.ofNanos(PERIOD));
        long nanos = 1_000;
        long[] state = penalised.full(at(nanos));
        long[] plain = inner.full(at(nanos));
        List<Long> refusals = new ArrayList<>();
        long free = 0;
        for (Step step : steps) {
            nanos += step.pause;
            long wait = both(inner.waitNanos(plain, at(nanos), step.cost), free - nanos, step.cost);
            check(penalised, state, nanos, step.cost, wait, free > nanos ? 0 : inner.remaining(plain, at(nanos)));
            if (wait == 0 && step.cost > 0) {
                state = penalised.spend(state, at(nanos), step.cost);
                plain = inner.spend(plain, at(nanos), step.cost);
            } else if (wait != 0) {
                state = penalised.refuse(state, at(nanos), step.cost);
                if (free <= nanos) {
                    free = refused(refusals, nanos);
                }
            }
        }
    }

    @Property(tries = 500)
    void allOptionsTogetherTravelAndComeBackAsTheyWere(
            @ForAll("algorithms") LimitAlgorithm inner, @ForAll("steps") List<Step> steps) {
        Penalised all = new Penalised(new Spaced(inner, MIN_INTERVAL), PENALTY, Duration.ofNanos(PERIOD));
        long nanos = 1_000;
        long latest = nanos;
        long[] state = all.full(at(nanos));
        for (Step step : steps) {
            nanos += step.pause;
            latest = Math.max(latest, nanos);
            if (!all.admits(state, at(nanos), step.cost)) {
                state = all.refuse(state, at(nanos), step.cost);
            } else if (step.cost > 0) {
                state = all.spend(state, at(nanos), step.cost);
            }
        }
        // What is carried over lies at most as far ahead as it can without a clock that stepped back.
        nanos = latest;
        long[] arrived = all.arrive(all.depart(state, at(nanos)), at(77));
        long[] carried = all.carryOver(all, state, at(nanos));
        for (long cost = 0; cost < 8; cost++) {
            long wait = all.waitNanos(state, at(nanos), cost);
            assertThat(all.waitNanos(arrived, at(77), cost)).isEqualTo(wait);
            // Parts of a token count as used when a bucket is carried over.
            assertThat(all.waitNanos(carried, at(nanos), cost)).isGreaterThanOrEqualTo(wait);
        }
        assertThat(all.fullNanos(arrived, at(77))).isEqualTo(all.fullNanos(state, at(nanos)));
        assertThat(all.describe(arrived, at(77), 0)).isEqualTo(all.describe(state, at(nanos), 0));
    }

    /** Forgets refusals that lie a period or more after the first; the end of the penalty if this was the last one. */
    private static long refused(List<Long> refusals, long nanos) {
        if (!refusals.isEmpty() && nanos >= refusals.get(0) + PERIOD) {
            refusals.clear();
        }
        refusals.add(nanos);
        if (refusals.size() < PENALTY.refusals()) {
            return 0;
        }
        refusals.clear();
        return nanos + PENALTY.length().toNanos();
    }

    private static void check(LimitAlgorithm limit, long[] state, long nanos, long cost, long wait, long remaining) {
        assertThat(limit.waitNanos(state, at(nanos), cost)).isEqualTo(wait);
        assertThat(limit.remaining(state, at(nanos))).isEqualTo(remaining);
        for (long spendable = 0; spendable <= remaining; spendable++) {
            assertThat(limit.admits(state, at(nanos), spendable)).isTrue();
        }
        if (wait > 0) {
            assertThat(limit.admits(state, at(nanos + wait - 1), cost)).isFalse();
            assertThat(limit.admits(state, at(nanos + wait), cost)).isTrue();
        }
        long next = limit.nextTokenNanos(state, at(nanos));
        if (next > 0) {
            assertThat(limit.remaining(state, at(nanos + next))).isGreaterThan(remaining);
            assertThat(limit.remaining(state, at(nanos + next - 1))).isEqualTo(remaining);
        }
    }

    private static long both(long inner, long hold, long cost) {
        return inner == LimitState.NEVER || cost == 0 ? inner : Math.max(inner, hold);
    }

    @Provide
    Arbitrary<LimitAlgorithm> algorithms() {
        Duration period = Duration.ofNanos(PERIOD);
        LimitOptions warmUp = LimitOptions.NONE.withWarmUp(Duration.ofNanos(500));
        return Arbitraries.of(
                TokenBucket.of(Limit.of(5, period)),
                WarmUp.of(new Limit(7, period, 5, Algorithm.WARM_UP, warmUp)),
                Concurrency.of(new Limit(5, Duration.ZERO, 5, Algorithm.CONCURRENCY)));
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        return Combinators.combine(
                        Arbitraries.longs().between(-3, 200),
                        Arbitraries.longs().between(0, 6))
                .as(Step::new)
                .list()
                .ofMaxSize(40);
    }

    private static Moment at(long nanos) {
        return Moment.ofNanos(nanos);
    }
}
