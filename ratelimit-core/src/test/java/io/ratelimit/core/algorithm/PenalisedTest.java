package io.ratelimit.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ratelimit.LimitState;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.Penalty;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PenalisedTest {

    private static final long SECOND = 1_000_000_000L;
    private static final Duration PERIOD = Duration.ofSeconds(10);

    private final TokenBucket bucket = TokenBucket.of(Limit.of(10, PERIOD));
    private final Penalised penalised = penalised(3, Duration.ofMinutes(1));

    @Test
    void givesTurnsOneAfterTheOtherFromTheEndOfAPenaltyOn() {
        Penalised limit = new Penalised(
                TokenBucket.of(Limit.of(1, Duration.ofSeconds(1))),
                new Penalty(1, Duration.ofSeconds(10)),
                Duration.ofSeconds(1));
        Moment now = Moment.ofNanos(0);
        long[] state = limit.spend(limit.full(now), now, 1);
        state = limit.refuse(state, now, 1);
        for (long turn = 10; turn < 15; turn++) {
            assertThat(limit.waitNanos(state, now, 1)).isEqualTo(turn * 1_000_000_000L);
            state = limit.spend(state, now, 1);
        }
    }

    @Test
    void theThirdRefusalWithinAPeriodBringsThePenalty() {
        long[] state = refusedAt(0, 4, 9);
        assertThat(penalised.describe(state, at(9 * SECOND), 60 * SECOND))
                .isEqualTo(new LimitState(0, 60 * SECOND, 60 * SECOND));
        assertThat(penalised.waitNanos(state, at(30 * SECOND), 10)).isEqualTo(39 * SECOND);
        assertThat(penalised.admits(state, at(69 * SECOND - 1), 1)).isFalse();
        assertThat(penalised.admits(state, at(69 * SECOND), 10)).isTrue();
    }

    @Test
    void refusalsAPeriodAfterTheFirstAreCountedAnew() {
        long[] state = refusedAt(0, 9, 10, 11);
        assertThat(penalised.remaining(state, at(11 * SECOND))).isEqualTo(10);
        state = penalised.refuse(state, at(12 * SECOND), 11);
        assertThat(penalised.remaining(state, at(12 * SECOND))).isZero();
    }

    @Test
    void refusalsDuringThePenaltyDoNotProlongItAndAfterwardsCountingStartsAnew() {
        long[] state = refusedAt(0, 0, 0);
        assertThat(penalised.refuse(state, at(59 * SECOND), 1)).isSameAs(state);
        state = penalised.refuse(state, at(60 * SECOND), 11);
        state = penalised.refuse(state, at(60 * SECOND), 11);
        assertThat(penalised.remaining(state, at(60 * SECOND))).isEqualTo(10);
        state = penalised.refuse(state, at(60 * SECOND), 11);
        assertThat(penalised.waitNanos(state, at(60 * SECOND), 1)).isEqualTo(60 * SECOND);
    }

    @Test
    void whatCostsNothingPassesAndWhatCostsTooMuchNeverDoes() {
        long[] state = refusedAt(0, 0, 0);
        assertThat(penalised.waitNanos(state, at(0), 0)).isZero();
        assertThat(penalised.waitNanos(state, at(0), 11)).isEqualTo(LimitState.NEVER);
    }

    @Test
    void waitsForTheTokensIfTheyTakeLonger() {
        Penalised brief = penalised(1, Duration.ofSeconds(2));
        long[] state = brief.refuse(brief.spend(brief.full(at(0)), at(0), 10), at(0), 5);
        assertThat(brief.waitNanos(state, at(0), 1)).isEqualTo(2 * SECOND);
        assertThat(brief.waitNanos(state, at(0), 5)).isEqualTo(5 * SECOND);
    }

    @Test
    void isNotForgottenWhileItCountsOrPunishes() {
        assertThat(penalised.fullNanos(refusedAt(0), at(SECOND))).isEqualTo(9 * SECOND);
        assertThat(penalised.fullNanos(refusedAt(0, 0, 0), at(SECOND))).isEqualTo(59 * SECOND);
        assertThat(penalised.isFull(penalised.full(at(0)), at(0))).isTrue();
    }

    @Test
    void goesOnUnderOtherNumbers() {
        Penalised harder = penalised(2, Duration.ofSeconds(20));
        long[] counting = harder.carryOver(penalised, refusedAt(0, 1), at(2 * SECOND));
        assertThat(harder.remaining(counting, at(2 * SECOND))).isEqualTo(10);
        assertThat(harder.remaining(harder.refuse(counting, at(9 * SECOND), 11), at(9 * SECOND)))
                .isZero();
        long[] punished = harder.carryOver(penalised, refusedAt(0, 0, 0), at(2 * SECOND));
        assertThat(harder.waitNanos(punished, at(2 * SECOND), 1)).isEqualTo(20 * SECOND);
        long[] once = penalised(1, Duration.ofSeconds(20)).carryOver(penalised, refusedAt(0), at(0));
        assertThat(penalised(1, Duration.ofSeconds(20)).isFull(once, at(0))).isTrue();
    }

    @Test
    void startsAnewWhereTheOptionIsNewAndIsDroppedWhereItIsGone() {
        long[] used = bucket.spend(bucket.full(at(0)), at(0), 4);
        assertThat(penalised.remaining(penalised.carryOver(bucket, used, at(0)), at(0)))
                .isEqualTo(6);
        ChargedRefusals charged = new ChargedRefusals(bucket);
        long[] state = penalised.join(refusedAt(0, 0, 0), used);
        assertThat(charged.carryOver(penalised, state, at(0))).isEqualTo(used);
    }

    @Test
    void travelsToAClockWithAnotherOrigin() {
        long[] arrived = penalised.arrive(penalised.depart(refusedAt(0, 0, 0), at(SECOND)), at(7));
        assertThat(penalised.waitNanos(arrived, at(7), 1)).isEqualTo(59 * SECOND);
        long[] counting = penalised.arrive(penalised.depart(refusedAt(0, 0), at(SECOND)), at(7));
        assertThat(penalised.remaining(penalised.refuse(counting, at(7), 11), at(7)))
                .isZero();
        long[] over = penalised.arrive(penalised.depart(refusedAt(0, 0), at(11 * SECOND)), at(7));
        assertThat(penalised.remaining(penalised.refuse(over, at(7), 11), at(7)))
                .isEqualTo(10);
    }

    @Test
    void ofTwoViewsThePenaltyCounts() {
        long[] punished = penalised.carryOver(penalised(3, Duration.ofSeconds(5)), refusedAt(0, 0, 0), at(0));
        long[] counting = refusedAt(1, 2);
        assertThat(penalised.tighter(punished, counting, at(0))).isEqualTo(punished);
        assertThat(penalised.tighter(counting, punished, at(0))).isEqualTo(punished);
        assertThat(penalised.tighter(counting, refusedAt(3), at(3 * SECOND))).isEqualTo(counting);
    }

    @Test
    void aClockThatStepsBackALittleCountsOn() {
        long[] state = penalised.refuse(penalised.full(at(5)), at(5), 11);
        state = penalised.refuse(state, at(3), 11);
        state = penalised.refuse(state, at(5), 11);
        assertThat(penalised.waitNanos(state, at(5), 1)).isEqualTo(60 * SECOND);
    }

    @Test
    void needsAPeriodToCountIn() {
        assertThatThrownBy(() -> new Penalised(bucket, new Penalty(1, PERIOD), Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("within the limit's period");
    }

    /** A client with all its tokens that asked for more than the capacity at these seconds. */
    private long[] refusedAt(int... seconds) {
        long[] state = penalised.full(at(0));
        for (int second : seconds) {
            state = penalised.refuse(state, at(second * SECOND), 11);
        }
        return state;
    }

    private Penalised penalised(int refusals, Duration length) {
        return new Penalised(bucket, new Penalty(refusals, length), PERIOD);
    }

    private static Moment at(long nanos) {
        return Moment.ofNanos(nanos);
    }
}
