package io.ratelimit.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ratelimit.LimitState;
import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.LimitOptions;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class WarmUpTest {

    private static final long SECOND = 1_000_000_000L;

    /** Stable interval 1 s, warm-up 8 s: 8 permits when cold, of which 4 are dearer. */
    private final WarmUp warmUp = WarmUp.of(limit(1, Duration.ofSeconds(1), 10, Duration.ofSeconds(8)));

    @Test
    void theFirstRequestPassesAtOnceWhateverItCosts() {
        assertThat(warmUp.waitNanos(warmUp.full(at(0)), at(0), 10)).isZero();
        assertThat(warmUp.remaining(warmUp.full(at(0)), at(0))).isEqualTo(10);
    }

    @Test
    void theIntervalsShrinkFromNearlyThreeToOneAndStayThere() {
        long[] state = warmUp.full(at(0));
        long nanos = 0;
        // The area under the line from 3 s at 8 permits to 1 s at 4 permits, a permit at a time.
        for (double interval : new double[] {2.75, 2.25, 1.75, 1.25, 1, 1, 1, 1, 1, 1, 1}) {
            state = warmUp.spend(state, at(nanos), 1);
            long wait = warmUp.waitNanos(state, at(nanos), 1);
            assertThat(wait).isEqualTo((long) (interval * SECOND));
            nanos += wait;
        }
    }

    @Test
    void theRequestAfterADearOnePaysForIt() {
        long[] state = warmUp.spend(warmUp.full(at(0)), at(0), 10);
        // 8 s for the upper half of the store, 4 s for the lower one, 2 s for two fresh permits.
        assertThat(warmUp.waitNanos(state, at(0), 1)).isEqualTo(14 * SECOND);
        assertThat(warmUp.describe(state, at(SECOND), 0)).isEqualTo(new LimitState(0, 0, 13 * SECOND));
    }

    @Test
    void aCostAboveTheCapacityIsNeverAdmitted() {
        assertThat(warmUp.waitNanos(warmUp.full(at(0)), at(0), 11)).isEqualTo(LimitState.NEVER);
    }

    @Test
    void aCostOfZeroIsAlwaysAdmitted() {
        long[] state = warmUp.spend(warmUp.full(at(0)), at(0), 10);
        assertThat(warmUp.waitNanos(state, at(0), 0)).isZero();
    }

    @Test
    void growsColdAgainByThePermitsThatItDidNotUse() {
        long[] state = warmUp.spend(warmUp.full(at(0)), at(0), 10);
        assertThat(warmUp.fullNanos(state, at(0))).isEqualTo((14 + 8) * SECOND);
        assertThat(warmUp.isFull(state, at(22 * SECOND - 1))).isFalse();
        assertThat(warmUp.isFull(state, at(22 * SECOND))).isTrue();
        // After 6 s of rest the store holds 6 permits, where the line falls from 2 s to 1.5 s.
        long[] rested = warmUp.spend(state, at(20 * SECOND), 1);
        assertThat(warmUp.waitNanos(rested, at(20 * SECOND), 1)).isEqualTo(175 * SECOND / 100);
    }

    @Test
    void turnsCanBeReservedInOrder() {
        long[] state = warmUp.spend(warmUp.full(at(0)), at(0), 10);
        state = warmUp.spend(state, at(SECOND), 3);
        assertThat(warmUp.waitNanos(state, at(SECOND), 1)).isEqualTo((14 - 1 + 3) * SECOND);
        assertThat(warmUp.longestTurnNanos())
                .isGreaterThan(Duration.ofDays(36_000).toNanos());
    }

    @Test
    void stateNeverMovesBackInTime() {
        long[] state = warmUp.spend(warmUp.full(at(100 * SECOND)), at(100 * SECOND), 1);
        long[] earlier = warmUp.spend(state, at(99 * SECOND), 1);
        assertThat(warmUp.waitNanos(earlier, at(100 * SECOND), 1)).isEqualTo(5 * SECOND);
    }

    @Test
    void aTurnThatIsUndoneIsAsIfItHadNotBeenHoweverDear() {
        long[] before = warmUp.spend(warmUp.full(at(0)), at(0), 1);
        for (long cost = 1; cost <= 10; cost++) {
            long[] after = warmUp.spend(before, at(SECOND), cost);
            assertThat(warmUp.undo(after, at(2 * SECOND), cost, warmUp.receipt(before, after)))
                    .isEqualTo(before);
        }
        long[] first = warmUp.spend(before, at(0), 1);
        long[] second = warmUp.spend(first, at(0), 1);
        assertThat(warmUp.undo(second, at(0), 1, warmUp.receipt(before, first)))
                .isEqualTo(warmUp.refund(second, at(0), 1, warmUp.receipt(before, first)));
    }

    @Test
    void aRefundOfTheLastChargeIsAsIfItHadNotBeen() {
        long[] before = warmUp.spend(warmUp.full(at(0)), at(0), 1);
        long[] after = warmUp.spend(before, at(0), 3);
        assertThat(warmUp.refund(after, at(0), 3, warmUp.receipt(before, after)))
                .isEqualTo(before);
    }

    @Test
    void aRefundGivesBackOnlyTheTimeThatHasNotPassed() {
        long[] state = warmUp.spend(warmUp.full(at(0)), at(0), 1);
        assertThat(warmUp.refund(state, at(275 * SECOND / 100), 1, state)).isEqualTo(state);
        long[] half = warmUp.refund(state, at(SECOND), 1, state);
        assertThat(warmUp.waitNanos(half, at(SECOND), 1)).isZero();
        assertThat(warmUp.isFull(half, at(SECOND))).isTrue();
    }

    @Test
    void whatHasPassedOfARefundedChargeHasRestedInstead() {
        long[] charged = warmUp.spend(warmUp.arrive(new long[] {2 * SECOND, 0, 0}, at(0)), at(0), 1);
        long[] refunded = warmUp.refund(charged, at(SECOND * 4 / 10), 1, charged);
        assertThat(warmUp.depart(refunded, at(SECOND * 4 / 10))).containsExactly(SECOND * 24 / 10, 0, 0);
    }

    @Test
    void restsFromTheExactTimeAtWhichItIsFree() {
        WarmUp thirds = WarmUp.of(limit(3, Duration.ofSeconds(1), 1, Duration.ofSeconds(8)));
        long[] state = thirds.spend(thirds.arrive(new long[] {0, 0, 0}, at(0)), at(0), 1);
        assertThat(thirds.waitNanos(state, at(0), 1)).isEqualTo(333_333_334);
        // Free at 333,333,333 1/3 ns: two thirds of a nanosecond have passed since, a unit each.
        assertThat(thirds.depart(state, at(333_333_334))).containsExactly(2, 0, 0);
    }

    @Test
    void aChargedRefusalPostponesTheNextTurnButWarmsNothingUp() {
        long[] state = warmUp.spend(warmUp.full(at(0)), at(0), 1);
        long[] refused = warmUp.spendRefused(state, at(2 * SECOND), 1);
        assertThat(warmUp.waitNanos(refused, at(2 * SECOND), 1)).isEqualTo(225 * SECOND / 100);
        assertThat(refused[0]).isEqualTo(state[0]);
        assertThat(warmUp.spendRefused(state, at(0), 1)).isEqualTo(state);
    }

    @Test
    void keepsTurnAndWarmthWhenTheRateChanges() {
        WarmUp faster = WarmUp.of(limit(2, Duration.ofSeconds(1), 10, Duration.ofSeconds(8)));
        long[] state = warmUp.spend(warmUp.full(at(0)), at(0), 10);
        long[] carried = faster.carryOver(warmUp, state, at(4 * SECOND));
        // Under the new limit no turn lies further off than its whole capacity takes when cold: 5 s and 4 s.
        assertThat(faster.waitNanos(carried, at(4 * SECOND), 1)).isEqualTo(9 * SECOND);
        assertThat(carried[0]).isZero();
        assertThat(faster.isFull(faster.carryOver(warmUp, warmUp.full(at(0)), at(7)), at(7)))
                .isTrue();
        TokenBucket bucket = TokenBucket.of(Limit.of(10, Duration.ofSeconds(10)));
        long[] used = bucket.spend(bucket.full(at(0)), at(0), 1);
        assertThat(warmUp.waitNanos(warmUp.carryOver(bucket, used, at(0)), at(0), 1))
                .isEqualTo(275 * SECOND / 100);
    }

    @Test
    void travelsToAClockWithAnotherOrigin() {
        long[] state = warmUp.spend(warmUp.full(at(100 * SECOND)), at(100 * SECOND), 3);
        long[] arrived = warmUp.arrive(warmUp.depart(state, at(101 * SECOND)), at(7));
        assertThat(warmUp.waitNanos(arrived, at(7), 1)).isEqualTo(warmUp.waitNanos(state, at(101 * SECOND), 1));
        assertThat(warmUp.fullNanos(arrived, at(7))).isEqualTo(warmUp.fullNanos(state, at(101 * SECOND)));
        assertThatThrownBy(() -> warmUp.arrive(new long[] {8 * SECOND + 1, 0, 0}, at(0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 8000000000 units");
        assertThatThrownBy(() -> warmUp.arrive(new long[] {1}, at(0))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whatAnotherKeeperSawCountsAsCold() {
        long[] state = warmUp.spend(warmUp.full(at(0)), at(0), 10);
        LimitState seen = warmUp.describe(state, at(0), 0);
        long[] here = warmUp.ofSeen(seen, at(50));
        assertThat(warmUp.waitNanos(here, at(50), 1)).isEqualTo(14 * SECOND);
        assertThat(warmUp.fullNanos(here, at(50))).isEqualTo(14 * SECOND);
    }

    @Test
    void aLimitOfNoTokensRefusesAlways() {
        WarmUp blocked = WarmUp.of(limit(0, Duration.ofSeconds(1), 0, Duration.ofSeconds(1)));
        long[] state = blocked.ofUsed(3, at(0));
        assertThat(blocked.waitNanos(state, at(0), 1)).isEqualTo(LimitState.NEVER);
        assertThat(blocked.describe(state, at(0), LimitState.NEVER)).isEqualTo(new LimitState(0, LimitState.NEVER, 0));
        assertThat(blocked.isFull(blocked.spendRefused(state, at(0), 1), at(0))).isTrue();
    }

    @Test
    void saysWhatItCannotCount() {
        assertThatThrownBy(() -> WarmUp.of(limit(999_999_999_989L, Duration.ofSeconds(1), 1, Duration.ofDays(1))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("beyond exact arithmetic");
        assertThatThrownBy(() -> WarmUp.of(limit(1, Duration.ofDays(365), 37, Duration.ofDays(1))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a smaller burst");
    }

    private static Limit limit(long tokens, Duration period, long capacity, Duration warmUp) {
        return new Limit(tokens, period, capacity, Algorithm.WARM_UP, LimitOptions.NONE.withWarmUp(warmUp));
    }

    private static Moment at(long nanos) {
        return Moment.ofNanos(nanos);
    }
}
