package io.ratelimit.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ratelimit.LimitState;
import io.ratelimit.rules.Limit;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SpacedTest {

    private static final long SECOND = 1_000_000_000L;

    private final TokenBucket bucket = TokenBucket.of(Limit.of(3, Duration.ofSeconds(30)));
    private final Spaced spaced = new Spaced(bucket, Duration.ofSeconds(4));

    @Test
    void refusesTheNextRequestUntilTheIntervalHasPassed() {
        long[] state = spaced.spend(spaced.full(at(0)), at(0), 1);
        assertThat(spaced.describe(state, at(SECOND), 0)).isEqualTo(new LimitState(2, 0, 9 * SECOND));
        assertThat(spaced.waitNanos(state, at(SECOND), 2)).isEqualTo(3 * SECOND);
        assertThat(spaced.admits(state, at(4 * SECOND - 1), 1)).isFalse();
        assertThat(spaced.admits(state, at(4 * SECOND), 1)).isTrue();
        assertThat(spaced.remaining(state, at(4 * SECOND))).isEqualTo(2);
    }

    @Test
    void waitsForTheLongerOfBoth() {
        long[] state = spaced.spend(spaced.full(at(0)), at(0), 3);
        assertThat(spaced.waitNanos(state, at(0), 1)).isEqualTo(10 * SECOND);
        assertThat(spaced.nextTokenNanos(state, at(0))).isEqualTo(10 * SECOND);
        assertThat(spaced.waitNanos(state, at(0), 4)).isEqualTo(LimitState.NEVER);
        assertThat(spaced.waitNanos(state, at(0), 0)).isZero();
    }

    @Test
    void aRefusalChangesNothing() {
        long[] state = spaced.spend(spaced.full(at(0)), at(0), 1);
        assertThat(spaced.refuse(state, at(SECOND), 1)).isSameAs(state);
    }

    @Test
    void requestsThatWaitTheirTurnAreSpacedToo() {
        long[] state = spaced.spend(spaced.full(at(0)), at(0), 1);
        state = spaced.spend(state, at(SECOND), 1);
        assertThat(spaced.waitNanos(state, at(SECOND), 1)).isEqualTo(7 * SECOND);
        assertThat(spaced.longestTurnNanos()).isEqualTo(bucket.longestTurnNanos());
    }

    @Test
    void isNotForgottenWhileItSpaces() {
        Spaced slow = new Spaced(bucket, Duration.ofMinutes(1));
        long[] state = slow.spend(slow.full(at(0)), at(0), 1);
        assertThat(slow.fullNanos(state, at(0))).isEqualTo(60 * SECOND);
        assertThat(spaced.fullNanos(spaced.spend(spaced.full(at(0)), at(0), 1), at(0)))
                .isEqualTo(10 * SECOND);
    }

    @Test
    void aRefundReturnsTheTokensButTheRequestWasAdmitted() {
        long[] state = spaced.spend(spaced.full(at(0)), at(0), 1);
        long[] refunded = spaced.refund(state, at(0), 1, spaced.receipt(spaced.full(at(0)), state));
        assertThat(spaced.waitNanos(refunded, at(0), 3)).isEqualTo(4 * SECOND);
        assertThat(spaced.remaining(refunded, at(4 * SECOND))).isEqualTo(3);
    }

    @Test
    void aChargeThatIsUndoneGivesItsPlaceBack() {
        long[] first = spaced.spend(spaced.full(at(0)), at(0), 1);
        long[] second = spaced.spend(first, at(4 * SECOND), 1);
        long[] undone = spaced.undo(second, at(5 * SECOND), 1, spaced.receipt(first, second));
        assertThat(spaced.waitNanos(undone, at(5 * SECOND), 1)).isZero();
        assertThat(spaced.waitNanos(undone, at(3 * SECOND), 1)).isEqualTo(SECOND);
        long[] both = spaced.undo(undone, at(5 * SECOND), 1, spaced.receipt(spaced.full(at(0)), first));
        assertThat(spaced.isFull(both, at(5 * SECOND))).isTrue();
        long[] none = spaced.undo(first, at(SECOND), 1, spaced.receipt(spaced.full(at(0)), first));
        assertThat(spaced.isFull(none, at(SECOND))).isTrue();
    }

    @Test
    void anUndoneTurnThatTokensHadToWaitForLeavesNoDistance() {
        long[] first = spaced.spend(spaced.full(at(0)), at(0), 3);
        assertThat(spaced.waitNanos(first, at(0), 2)).isEqualTo(20 * SECOND);
        long[] second = spaced.spend(first, at(0), 2);
        long[] undone = spaced.undo(second, at(0), 2, spaced.receipt(first, second));
        assertThat(spaced.waitNanos(undone, at(0), 1)).isEqualTo(10 * SECOND);
        long[] none = spaced.undo(undone, at(0), 3, spaced.receipt(spaced.full(at(0)), first));
        assertThat(spaced.waitNanos(none, at(0), 3)).isZero();
    }

    @Test
    void anUndoneChargeThatOthersCameAfterLeavesAGap() {
        long[] first = spaced.spend(spaced.full(at(0)), at(0), 1);
        long[] second = spaced.spend(first, at(4 * SECOND), 1);
        long[] undone = spaced.undo(second, at(5 * SECOND), 1, spaced.receipt(spaced.full(at(0)), first));
        assertThat(spaced.waitNanos(undone, at(5 * SECOND), 1)).isEqualTo(3 * SECOND);
    }

    @Test
    void moreOfAChargeIsUndoneWithoutTheDistanceOfItsRequest() {
        long[] first = spaced.spend(spaced.full(at(0)), at(0), 1);
        LimitAlgorithm more = spaced.forMore();
        long[] second = more.spend(first, at(0), 1);
        long[] undone = spaced.undo(second, at(0), 1, more.receipt(first, second));
        assertThat(spaced.waitNanos(undone, at(SECOND), 1)).isEqualTo(3 * SECOND);
        assertThat(spaced.remaining(undone, at(4 * SECOND))).isEqualTo(2);
    }

    @Test
    void aReceiptTravelsToAClockWithAnotherOrigin() {
        long[] first = spaced.spend(spaced.full(at(100)), at(100), 1);
        long[] departed = spaced.departReceipt(spaced.receipt(spaced.full(at(0)), first), at(100));
        long[] here = spaced.arrive(spaced.depart(first, at(100)), at(7));
        long[] undone = spaced.undo(here, at(7), 1, spaced.arriveReceipt(departed, at(7), at(8)));
        assertThat(spaced.isFull(undone, at(7))).isTrue();
        assertThatThrownBy(() -> spaced.arriveReceipt(new long[] {-1, 0, 0}, at(7), at(8)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void goesOnUnderAShorterIntervalAndStartsAnewAfterNone() {
        long[] state = spaced.spend(spaced.full(at(0)), at(0), 1);
        Spaced shorter = new Spaced(bucket, Duration.ofSeconds(2));
        assertThat(shorter.waitNanos(shorter.carryOver(spaced, state, at(SECOND)), at(SECOND), 1))
                .isEqualTo(2 * SECOND);
        long[] added = spaced.carryOver(bucket, bucket.spend(bucket.full(at(0)), at(0), 2), at(0));
        assertThat(spaced.remaining(added, at(0))).isEqualTo(1);
    }

    @Test
    void findsItsOwnWordsUnderAnotherOption() {
        ChargedRefusals charged = new ChargedRefusals(spaced);
        long[] state = charged.spend(charged.full(at(0)), at(0), 1);
        assertThat(spaced.waitNanos(spaced.carryOver(charged, state, at(SECOND)), at(SECOND), 1))
                .isEqualTo(3 * SECOND);
        assertThat(spaced.remaining(spaced.carryOver(charged, state, at(SECOND)), at(4 * SECOND)))
                .isEqualTo(2);
    }

    @Test
    void travelsToAClockWithAnotherOrigin() {
        long[] state = spaced.spend(spaced.full(at(100)), at(100), 3);
        long[] arrived = spaced.arrive(spaced.depart(state, at(101)), at(7));
        assertThat(spaced.waitNanos(arrived, at(7), 1)).isEqualTo(10 * SECOND - 1);
        assertThat(spaced.describe(arrived, at(7 + 10 * SECOND), 0).remaining()).isEqualTo(1);
        assertThatThrownBy(() -> spaced.arrive(new long[] {-1, 0}, at(0))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> spaced.arrive(new long[0], at(0))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void goesOnFromWhatAnotherKeeperSaid() {
        long[] state = spaced.spend(spaced.full(at(0)), at(0), 1);
        long[] free = spaced.ofSeen(spaced.describe(state, at(4 * SECOND), 0), at(0));
        assertThat(spaced.remaining(free, at(0))).isEqualTo(2);
        long[] held = spaced.ofSeen(spaced.describe(state, at(SECOND), 0), at(0));
        assertThat(spaced.remaining(held, at(0))).isEqualTo(2);
    }

    @Test
    void aClockThatStepsBackALittleShortensNothing() {
        long[] state = spaced.spend(spaced.full(at(10 * SECOND)), at(10 * SECOND), 1);
        long[] earlier = spaced.spend(state, at(10 * SECOND - 5), 1);
        assertThat(spaced.waitNanos(earlier, at(10 * SECOND), 1)).isEqualTo(8 * SECOND);
    }

    @Test
    void saysWhichIntervalIsWrong() {
        assertThatThrownBy(() -> new Spaced(bucket, Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("minInterval must be longer than 0");
    }

    private static Moment at(long nanos) {
        return Moment.ofNanos(nanos);
    }
}
