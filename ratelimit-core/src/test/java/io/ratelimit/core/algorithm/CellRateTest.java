package io.ratelimit.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ratelimit.LimitState;
import io.ratelimit.rules.Limit;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CellRateTest {

    private static final long SECOND = 1_000_000_000L;

    @Test
    void aFullBucketAdmitsItsCapacityAtOnceAndNoMore() {
        CellRate bucket = CellRate.of(Limit.of(5, Duration.ofMinutes(1)));
        long state = bucket.full(0);
        for (int i = 0; i < 5; i++) {
            assertThat(bucket.admits(state, 0, 1)).isTrue();
            state = bucket.spend(state, 0, 1);
        }
        assertThat(bucket.admits(state, 0, 1)).isFalse();
        assertThat(bucket.waitNanos(state, 0, 1)).isEqualTo(12 * SECOND);
    }

    @Test
    void refillsEvenly() {
        CellRate bucket = CellRate.of(Limit.of(5, Duration.ofMinutes(1)));
        long state = bucket.spend(bucket.full(0), 0, 5);
        assertThat(bucket.remaining(state, 12 * SECOND - 1)).isZero();
        assertThat(bucket.remaining(state, 12 * SECOND)).isEqualTo(1);
        assertThat(bucket.remaining(state, 59 * SECOND)).isEqualTo(4);
        assertThat(bucket.remaining(state, 60 * SECOND)).isEqualTo(5);
        assertThat(bucket.remaining(state, 600 * SECOND)).isEqualTo(5);
    }

    @Test
    void hugeTokenNumbersDoNotOverflowWhileRefilling() {
        CellRate bucket = CellRate.of(Limit.of(980_000_000, Duration.ofSeconds(10)));
        long state = bucket.spend(bucket.full(0), 0, 980_000_000);
        assertThat(bucket.waitNanos(state, SECOND / 10, 980_000_000)).isEqualTo(99 * SECOND / 10);
        assertThat(bucket.admits(state, 51 * SECOND / 10, 490_000_000)).isTrue();
        state = bucket.spend(state, 51 * SECOND / 10, 490_000_000);
        assertThat(bucket.waitNanos(state, 52 * SECOND / 10, 700_000_000)).isBetween(6 * SECOND, 8 * SECOND);
        assertThat(bucket.admits(state, 153 * SECOND / 10, 980_000_000)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "1000000000000, PT1S",
        "999999999989, PT1S",
        "10000000000, PT1H",
        "9999999967, PT1H",
        "1000000000, P1D",
        "999999937, P1D",
        "1000000, P365D",
        "999983, P365D",
        "100000000000000, PT1H",
        "1, P36500D"
    })
    void acceptsEveryRateThatIsPromised(long tokens, Duration period) {
        CellRate bucket = CellRate.of(Limit.of(tokens, period));
        long state = bucket.spend(bucket.full(0), 0, tokens);
        assertThat(bucket.remaining(state, 0)).isZero();
        assertThat(bucket.remaining(state, period.toNanos())).isEqualTo(tokens);
    }

    @Test
    void refusesARateBeyondExactArithmetic() {
        assertThatThrownBy(() -> CellRate.of(Limit.of(Limit.MOST_TOKENS - 2, Duration.ofDays(36_499))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("beyond exact arithmetic");
    }

    @Test
    void aLimitOfNoTokensRefusesAlwaysWithoutAPromise() {
        CellRate bucket = CellRate.of(Limit.BLOCKED);
        long state = bucket.full(0);
        assertThat(bucket.admits(state, 0, 1)).isFalse();
        assertThat(bucket.waitNanos(state, 0, 1)).isEqualTo(LimitState.NEVER);
        assertThat(bucket.describe(state, 0, LimitState.NEVER)).isEqualTo(new LimitState(0, LimitState.NEVER, 0));
    }

    @Test
    void aCostOfZeroLooksWithoutCharging() {
        CellRate bucket = CellRate.of(Limit.of(1, Duration.ofMinutes(1)));
        long empty = bucket.spend(bucket.full(0), 0, 1);
        assertThat(bucket.admits(empty, 0, 0)).isTrue();
        assertThat(bucket.used(bucket.spend(empty, 0, 0), 0)).isEqualTo(bucket.used(empty, 0));
    }

    @Test
    void tellsWhenTheNextTokenComes() {
        CellRate bucket = CellRate.of(Limit.of(500, Duration.ofHours(1)));
        long state = bucket.full(0);
        assertThat(bucket.describe(state, 0, 0).nextTokenNanos()).isZero();
        state = bucket.spend(state, 0, 1);
        assertThat(bucket.describe(state, 0, 0)).isEqualTo(new LimitState(499, 0, 72 * SECOND / 10));
        assertThat(bucket.describe(state, SECOND, 0).nextTokenNanos()).isEqualTo(62 * SECOND / 10);
    }

    @Test
    void whatAClientHasUsedStaysUsedUnderAnotherLimit() {
        CellRate before = CellRate.of(Limit.of(1_000, Duration.ofMinutes(15)));
        CellRate after = CellRate.of(Limit.of(10, Duration.ofMinutes(15)));
        long one = before.spend(before.full(0), 0, 1);
        assertThat(after.remaining(after.carryOver(before, one, 0), 0)).isEqualTo(9);
        long many = before.spend(before.full(0), 0, 400);
        assertThat(after.remaining(after.carryOver(before, many, 0), 0)).isZero();
        long tenOfTen = after.spend(after.full(0), 0, 10);
        CellRate raised = CellRate.of(Limit.of(50, Duration.ofMinutes(15)));
        assertThat(raised.remaining(raised.carryOver(after, tenOfTen, 0), 0)).isEqualTo(40);
    }

    @Test
    void aRefundGivesBackOnlyWhatHasNotRefilledMeanwhile() {
        CellRate bucket = CellRate.of(Limit.of(10, Duration.ofSeconds(10)));
        long charged = bucket.spend(bucket.full(0), 0, 6);
        assertThat(bucket.remaining(bucket.refund(charged, 0, 6, charged), 0)).isEqualTo(10);
        long later = bucket.spend(charged, 4 * SECOND, 3);
        long refunded = bucket.refund(later, 4 * SECOND, 6, charged);
        assertThat(bucket.remaining(refunded, 4 * SECOND)).isEqualTo(7);
        long afterRefill = bucket.spend(charged, 6 * SECOND, 3);
        assertThat(bucket.refund(afterRefill, 6 * SECOND, 6, charged)).isEqualTo(afterRefill);
    }

    @Test
    void bucketsThatCountAlikeAreEqual() {
        CellRate bucket = CellRate.of(Limit.of(10, Duration.ofSeconds(10)));
        assertThat(bucket)
                .isEqualTo(CellRate.of(Limit.of(10, Duration.ofSeconds(10))))
                .hasSameHashCodeAs(CellRate.of(Limit.of(10, Duration.ofSeconds(10))))
                .isEqualTo(bucket)
                .isNotEqualTo(CellRate.of(Limit.of(20, Duration.ofSeconds(10))))
                .isNotEqualTo(CellRate.of(Limit.of(10, Duration.ofSeconds(20))))
                .isNotEqualTo(CellRate.of(Limit.of(10, Duration.ofSeconds(10)).withBurst(11)))
                .isNotEqualTo(null);
        assertThat(CellRate.of(Limit.of(3, Duration.ofSeconds(10))).hashCode()).isNotEqualTo(bucket.hashCode());
    }

    @Test
    void isFullOnceNothingIsMissing() {
        CellRate bucket = CellRate.of(Limit.of(10, Duration.ofSeconds(10)));
        long state = bucket.spend(bucket.full(0), 0, 1);
        assertThat(bucket.isFull(state, SECOND - 1)).isFalse();
        assertThat(bucket.isFull(state, SECOND)).isTrue();
    }

    @Test
    void owesTokensAsFarAheadAsItsNumbersHaveRoom() {
        CellRate bucket = CellRate.of(Limit.of(10, Duration.ofSeconds(10)));
        long longest = bucket.longestTurnNanos();
        assertThat(Duration.ofNanos(longest)).isGreaterThan(Duration.ofDays(365));
        long owed = bucket.spend(bucket.full(0), 0, longest / SECOND + 9);
        assertThat(bucket.waitNanos(owed, 0, 1)).isBetween(longest - SECOND, longest);
        CellRate slow = CellRate.of(Limit.of(1, Limit.LONGEST_PERIOD));
        assertThat(slow.longestTurnNanos()).isPositive();
    }

    @Test
    void aPartOfATokenThatSomebodySawCountsAsUsed() {
        CellRate bucket = CellRate.of(Limit.of(10, Duration.ofSeconds(10)));
        long state = bucket.stateOf(new LimitState(7, 0, SECOND / 4), 5 * SECOND);
        assertThat(bucket.remaining(state, 5 * SECOND)).isEqualTo(7);
        assertThat(bucket.fullNanos(state, 5 * SECOND)).isEqualTo(2 * SECOND + SECOND / 4);
        assertThat(bucket.isFull(bucket.stateOf(new LimitState(12, 0, 0), SECOND), SECOND))
                .isTrue();
    }

    @Test
    void travelsAsWhatIsMissing() {
        CellRate bucket = CellRate.of(Limit.of(7, Duration.ofSeconds(3)));
        long here = bucket.spend(bucket.full(SECOND), SECOND, 5);
        CellRate copy = CellRate.of(Limit.of(7, Duration.ofSeconds(3)));
        long there = copy.stateOfMissing(bucket.used(here, SECOND), 77 * SECOND);
        assertThat(copy.remaining(there, 77 * SECOND)).isEqualTo(2);
        assertThat(copy.fullNanos(there, 77 * SECOND)).isEqualTo(bucket.fullNanos(here, SECOND));
    }

    @Test
    void whatIsSaidOfABucketIsAStateThatNeverHoldsMore() {
        CellRate bucket = CellRate.of(Limit.of(7, Duration.ofSeconds(3)));
        for (long pause = 0; pause < 4 * SECOND; pause += 77_777_777) {
            long state = bucket.spend(bucket.full(0), 0, 5);
            long copy = bucket.stateOf(bucket.describe(state, pause, 0), pause);
            assertThat(bucket.used(copy, pause)).isGreaterThanOrEqualTo(bucket.used(state, pause));
            assertThat(bucket.remaining(copy, pause)).isEqualTo(bucket.remaining(state, pause));
        }
    }
}
