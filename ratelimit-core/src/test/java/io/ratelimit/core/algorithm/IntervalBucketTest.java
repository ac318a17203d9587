package io.ratelimit.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ratelimit.LimitState;
import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.LimitOptions;
import io.ratelimit.rules.Refill;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IntervalBucketTest {

    private static final long SECOND = 1_000_000_000L;
    private static final long MINUTE = 60 * SECOND;

    @ParameterizedTest
    @CsvSource({"PT1S", "PT1M"})
    void ofTwoRequestsAfterFourteenOfFifteenOnePasses(Duration period) {
        IntervalBucket bucket = window(15, period);
        long[] state = bucket.spend(bucket.full(at(0)), at(0), 14);
        Moment later = at(period.toNanos() - 1);
        assertThat(bucket.admits(state, later, 1)).isTrue();
        state = bucket.spend(state, later, 1);
        assertThat(bucket.waitNanos(state, later, 1)).isEqualTo(1);
        assertThat(bucket.remaining(state, at(period.toNanos()))).isEqualTo(15);
    }

    @Test
    void twiceTheTokensPassAroundTheEdgeOfAWindowAsDefined() {
        IntervalBucket bucket = window(10, Duration.ofMinutes(1));
        long[] state = bucket.spend(bucket.full(at(0)), at(0), 1);
        state = bucket.spend(state, at(MINUTE - 1), 9);
        assertThat(bucket.admits(state, at(MINUTE), 10)).isTrue();
        state = bucket.spend(state, at(MINUTE), 10);
        assertThat(bucket.waitNanos(state, at(MINUTE), 1)).isEqualTo(MINUTE);
    }

    @Test
    void theFirstRequestAfterAFullBucketStartsANewPeriod() {
        IntervalBucket bucket = window(10, Duration.ofMinutes(1));
        long[] state = bucket.spend(bucket.full(at(0)), at(0), 10);
        state = bucket.spend(state, at(MINUTE + 20 * SECOND), 10);
        assertThat(bucket.waitNanos(state, at(MINUTE + 30 * SECOND), 1)).isEqualTo(50 * SECOND);
    }

    @Test
    void whatIsUsedBeyondOnePeriodsTokensStaysUsedInTheNext() {
        IntervalBucket bucket = interval(10, Duration.ofMinutes(1), 25);
        long[] state = bucket.spend(bucket.full(at(0)), at(5), 25);
        assertThat(bucket.remaining(state, at(MINUTE + 4))).isZero();
        assertThat(bucket.remaining(state, at(MINUTE + 5))).isEqualTo(10);
        assertThat(bucket.waitNanos(state, at(5), 10)).isEqualTo(MINUTE);
        assertThat(bucket.waitNanos(state, at(5), 11)).isEqualTo(2 * MINUTE);
        assertThat(bucket.waitNanos(state, at(5), 25)).isEqualTo(3 * MINUTE);
        assertThat(bucket.fullNanos(state, at(5))).isEqualTo(3 * MINUTE);
        assertThat(bucket.nextTokenNanos(state, at(MINUTE))).isEqualTo(5);
    }

    @Test
    void aBucketSmallerThanARefillHoldsNoMoreThanItsCapacity() {
        IntervalBucket bucket = interval(100, Duration.ofMinutes(1), 5);
        long[] state = bucket.spend(bucket.full(at(0)), at(0), 5);
        assertThat(bucket.waitNanos(state, at(0), 1)).isEqualTo(MINUTE);
        assertThat(bucket.remaining(state, at(MINUTE))).isEqualTo(5);
        assertThat(bucket.waitNanos(state, at(0), 6)).isEqualTo(LimitState.NEVER);
    }

    @Test
    void aCostAboveTheCapacityNeverPassesAndOneEqualToItDoes() {
        IntervalBucket bucket = window(10, Duration.ofMinutes(1));
        long[] full = bucket.full(at(0));
        assertThat(bucket.waitNanos(full, at(0), 11)).isEqualTo(LimitState.NEVER);
        assertThat(bucket.remaining(bucket.spend(bucket.refuse(full, at(0), 11), at(0), 1), at(0)))
                .isEqualTo(9);
        assertThat(bucket.admits(full, at(0), 10)).isTrue();
        long[] read = bucket.spend(full, at(0), 1);
        assertThat(bucket.waitNanos(read, at(SECOND), 10)).isEqualTo(59 * SECOND);
        assertThat(bucket.admits(read, at(MINUTE), 10)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"P1D", "P30D", "P36500D"})
    void slowRatesNameTheirWholeWait(Duration period) {
        IntervalBucket bucket = window(1, period);
        long[] state = bucket.spend(bucket.full(at(7)), at(7), 1);
        assertThat(bucket.waitNanos(state, at(7), 1)).isEqualTo(period.toNanos());
    }

    @Test
    void aThreadWhoseClockLiesBehindNeitherGainsNorMovesTheStateBack() {
        IntervalBucket bucket = window(10, Duration.ofMinutes(1));
        long[] state = bucket.spend(bucket.full(at(0)), at(0), 10);
        state = bucket.spend(state, at(MINUTE), 4);
        assertThat(bucket.remaining(state, at(MINUTE - 3))).isEqualTo(6);
        state = bucket.spend(state, at(MINUTE - 3), 6);
        assertThat(bucket.waitNanos(state, at(MINUTE), 1)).isEqualTo(MINUTE);
    }

    @Test
    void aRefundGivesBackOnlyWhatHasNotComeBackMeanwhile() {
        IntervalBucket bucket = interval(10, Duration.ofMinutes(1), 25);
        long[] charged = bucket.spend(bucket.full(at(0)), at(0), 15);
        long[] receipt = bucket.receipt(charged, charged);
        assertThat(bucket.remaining(bucket.refund(charged, at(0), 15, receipt), at(0)))
                .isEqualTo(25);
        long[] later = bucket.spend(charged, at(MINUTE), 3);
        assertThat(bucket.remaining(later, at(MINUTE))).isEqualTo(17);
        assertThat(bucket.remaining(bucket.refund(later, at(MINUTE), 15, receipt), at(MINUTE)))
                .isEqualTo(22);
        long[] afterAll = bucket.spend(later, at(3 * MINUTE), 5);
        assertThat(bucket.remaining(bucket.refund(afterAll, at(3 * MINUTE), 15, receipt), at(3 * MINUTE)))
                .isEqualTo(20);
    }

    @Test
    void whatAClientHasUsedStaysUsedUnderAnotherLimitUntilItsPeriodEnds() {
        IntervalBucket before = window(1_000, Duration.ofMinutes(15));
        IntervalBucket after = window(10, Duration.ofMinutes(15));
        long[] state = before.spend(before.full(at(0)), at(0), 400);
        long[] carried = after.carryOver(before, state, at(MINUTE));
        assertThat(after.remaining(carried, at(MINUTE))).isZero();
        assertThat(after.waitNanos(carried, at(MINUTE), 10)).isEqualTo(14 * MINUTE);
        IntervalBucket raised = window(50, Duration.ofMinutes(15));
        assertThat(raised.remaining(raised.carryOver(after, carried, at(MINUTE)), at(MINUTE)))
                .isEqualTo(40);
        IntervalBucket longer = window(50, Duration.ofHours(1));
        long[] anew = longer.carryOver(after, carried, at(MINUTE));
        assertThat(longer.waitNanos(anew, at(MINUTE), 50)).isEqualTo(60 * MINUTE);
    }

    @Test
    void wordsThatMakeNoSenseDoNotArrive() {
        IntervalBucket bucket = window(10, Duration.ofMinutes(1));
        long[][] words = {{}, {0}, {0, 1, 2}, {0, -1}, {0, 11}, {-MINUTE, 1}, {2 * SECOND, 1}, {Long.MIN_VALUE, 1}};
        for (long[] departed : words) {
            assertThatThrownBy(() -> bucket.arrive(departed, at(0))).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void refusesWhatItCannotCount() {
        assertThatThrownBy(() -> IntervalBucket.of(new Limit(10, Duration.ofMinutes(1), 20, Algorithm.FIXED_WINDOW)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no burst")
                .hasMessageContaining("20");
        assertThatThrownBy(() -> interval(1, Duration.ofDays(365), 101))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("more than 36500 days");
    }

    private static Moment at(long nanos) {
        return Moment.ofNanos(nanos);
    }

    private static IntervalBucket window(long tokens, Duration period) {
        return IntervalBucket.of(new Limit(tokens, period, tokens, Algorithm.FIXED_WINDOW));
    }

    private static IntervalBucket interval(long tokens, Duration period, long capacity) {
        LimitOptions options = LimitOptions.NONE.withRefill(Refill.INTERVAL);
        return IntervalBucket.of(new Limit(tokens, period, capacity, Algorithm.TOKEN_BUCKET, options));
    }
}
