package io.ratelimit.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.LimitState;
import io.ratelimit.rules.Limit;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Drives an algorithm and its definition through the same charges, and checks after each that both say the same. */
final class WindowScript {

    /** How the clock moves before a step. */
    enum Pause {
        NONE,
        A_LITTLE,
        A_LITTLE_BACK,
        PART,
        TO_NEXT_TOKEN,
        TO_JUST_BEFORE_IT
    }

    /**
     * A charge, and perhaps a refund of an earlier one.
     *
     * @param pause how the clock moves
     * @param part thousandths of the period, for a pause of that kind
     * @param costPart thousandths of the capacity
     * @param extra tokens added to the cost
     * @param refunded thousandths of an earlier charge that are given back; above 1,000 none
     */
    record Step(Pause pause, long part, long costPart, long extra, long refunded) {}

    @SuppressWarnings("ArrayRecordComponent")
    private record Charge(long[] receipt, int number, long tokens) {}

    private final Limit limit;
    private final LimitAlgorithm algorithm;
    private final Definition definition;
    private final List<Charge> charges = new ArrayList<>();

    private long[] state;
    private long nanos;
    private boolean hasSpent;

    WindowScript(Limit limit, LimitAlgorithm algorithm, Definition definition, long originNanos) {
        this.limit = limit;
        this.algorithm = algorithm;
        this.definition = definition;
        this.nanos = originNanos;
        this.state = algorithm.full(now());
    }

    static Arbitrary<List<Step>> steps() {
        Arbitrary<Long> part = Arbitraries.longs().between(0, 1_700);
        Arbitrary<Long> costPart = Arbitraries.longs().between(0, 1_000);
        Arbitrary<Long> extra = Arbitraries.longs().between(0, 2);
        Arbitrary<Long> refunded = Arbitraries.longs().between(0, 3_000);
        return Combinators.combine(Arbitraries.of(Pause.class), part, costPart, extra, refunded)
                .as(Step::new)
                .list()
                .ofMaxSize(25);
    }

    /** Origins from which a script of some steps stays within the clock, near 0 and near its end. */
    static long origin(Limit limit, int thousandths) {
        return Math.max(0, lastTime(limit) - 30 * Math.min(limit.period().toNanos(), Long.MAX_VALUE / 60))
                / 1_000
                * thousandths;
    }

    private static long lastTime(Limit limit) {
        long periods = limit.capacity() / limit.tokens() + 2;
        return Long.MAX_VALUE - periods * limit.period().toNanos();
    }

    void run(List<Step> steps) {
        for (Step step : steps) {
            nanos += pause(step);
            // Waits of a century each add up to more than the 292 years that a long of nanoseconds holds.
            if (nanos > lastTime(limit) || nanos < 0) {
                return;
            }
            refund(step);
            charge(step);
            agreesOnTimes();
            travels();
        }
    }

    private long pause(Step step) {
        return switch (step.pause) {
            case NONE -> 0;
            case A_LITTLE -> 1 + step.part % 3;
            // Far less than a period: what has left stays away, and a refund of it finds what others spent meanwhile.
            case A_LITTLE_BACK ->
                hasSpent
                        ? -Math.min(
                                nanos,
                                Math.min(1 + step.part % 3, limit.period().toNanos() / 3))
                        : 0;
            case PART -> (long) (limit.period().toNanos() / 1_000.0 * step.part);
            case TO_NEXT_TOKEN -> algorithm.nextTokenNanos(state, now());
            case TO_JUST_BEFORE_IT -> Math.max(0, algorithm.nextTokenNanos(state, now()) - 1);
        };
    }

    private void charge(Step step) {
        long cost = Math.min(limit.capacity() + 1, limit.capacity() / 1_000 * step.costPart + step.extra);
        long wait = algorithm.waitNanos(state, now(), cost);
        boolean admitted = cost == 0 || cost <= definition.remaining(nanos);
        assertThat(wait == 0).isEqualTo(admitted);
        assertThat(algorithm.admits(state, now(), cost)).isEqualTo(admitted);
        if (admitted && cost > 0) {
            long[] found = state;
            state = algorithm.spend(state, now(), cost);
            hasSpent = true;
            charges.add(new Charge(algorithm.receipt(found, state), definition.spend(nanos, cost), cost));
        } else if (!admitted) {
            long[] before = state.clone();
            assertThat(algorithm.refuse(state, now(), cost)).isSameAs(state).isEqualTo(before);
            waitsExactly(cost, wait);
        }
        assertThat(algorithm.remaining(state, now())).isEqualTo(definition.remaining(nanos));
    }

    private void waitsExactly(long cost, long wait) {
        if (cost > limit.capacity()) {
            assertThat(wait).isEqualTo(LimitState.NEVER);
            return;
        }
        assertThat(algorithm.admits(state, in(wait), cost)).isTrue();
        assertThat(algorithm.admits(state, in(wait - 1), cost)).isFalse();
        assertThat(definition.remaining(nanos + wait)).isGreaterThanOrEqualTo(cost);
        assertThat(definition.remaining(nanos + wait - 1)).isLessThan(cost);
    }

    private void refund(Step step) {
        if (step.refunded > 1_000 || charges.isEmpty()) {
            return;
        }
        Charge charge = charges.remove((int) (step.refunded % charges.size()));
        long tokens = step.refunded % 3 == 0 ? charge.tokens : charge.tokens / 1_000 * step.refunded;
        state = algorithm.refund(state, now(), tokens, charge.receipt);
        definition.refund(nanos, charge.number, tokens);
        assertThat(algorithm.remaining(state, now())).isEqualTo(definition.remaining(nanos));
    }

    private void agreesOnTimes() {
        long remaining = algorithm.remaining(state, now());
        long next = algorithm.nextTokenNanos(state, now());
        long full = algorithm.fullNanos(state, now());
        assertThat(algorithm.isFull(state, now())).isEqualTo(full == 0);
        if (remaining == limit.capacity()) {
            assertThat(next).isZero();
        } else {
            assertThat(definition.remaining(nanos + next)).isGreaterThan(remaining);
            assertThat(definition.remaining(nanos + next - 1)).isEqualTo(remaining);
        }
        assertThat(algorithm.isFull(state, in(full))).isTrue();
        assertThat(definition.remaining(nanos + full)).isEqualTo(limit.capacity());
        assertThat(full == 0 || !algorithm.isFull(state, in(full - 1))).isTrue();
    }

    private void travels() {
        long[] departed = algorithm.depart(state, now());
        Moment there = Moment.ofNanos(nanos / 7 + 12_345);
        long[] arrived = algorithm.arrive(departed, there);
        assertThat(algorithm.depart(arrived, there)).isEqualTo(departed);
        assertThat(algorithm.arrive(departed, now())).isEqualTo(algorithm.arrive(departed, now()));
        assertThat(algorithm.describe(arrived, there, 0)).isEqualTo(algorithm.describe(state, now(), 0));
        assertThat(algorithm.fullNanos(arrived, there)).isEqualTo(algorithm.fullNanos(state, now()));
        assertThat(algorithm.waitNanos(arrived, there, limit.capacity()))
                .isEqualTo(algorithm.waitNanos(state, now(), limit.capacity()));
    }

    private Moment now() {
        return Moment.ofNanos(nanos);
    }

    private Moment in(long wait) {
        return Moment.ofNanos(nanos + wait);
    }
}
