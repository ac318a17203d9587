package io.ratelimit.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ratelimit.LimitState;
import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlidingWindowLogTest {

    private static final long SECOND = 1_000_000_000L;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;

    @Test
    void fiveHundredInAnHourAreFiveHundredWordsAndNeverMore() {
        SlidingWindowLog log = log(500, Duration.ofHours(1));
        long[] state = log.full(at(0));
        for (int i = 0; i < 500; i++) {
            state = log.spend(state, at(i * SECOND), 1);
        }
        assertThat(state).hasSize(500);
        assertThat(log.waitNanos(state, at(500 * SECOND), 1)).isEqualTo(HOUR - 500 * SECOND);
        assertThat(log.waitNanos(state, at(500 * SECOND), 3)).isEqualTo(HOUR - 498 * SECOND);
        state = log.spend(state, at(HOUR), 1);
        assertThat(state).hasSize(500);
        assertThat(log.admits(state, at(HOUR), 1)).isFalse();
        assertThat(log.spend(state, at(3 * HOUR), 5)).hasSize(5);
    }

    @Test
    void aTokenComesBackExactlyOnePeriodAfterItWasSpent() {
        SlidingWindowLog log = log(2, Duration.ofMinutes(1));
        long[] state = log.spend(log.full(at(0)), at(0), 1);
        state = log.spend(state, at(59 * SECOND), 1);
        assertThat(log.remaining(state, at(MINUTE - 1))).isZero();
        assertThat(log.remaining(state, at(MINUTE))).isEqualTo(1);
        state = log.spend(state, at(MINUTE), 1);
        assertThat(log.waitNanos(state, at(MINUTE), 1)).isEqualTo(59 * SECOND);
        assertThat(log.fullNanos(state, at(MINUTE))).isEqualTo(MINUTE);
    }

    @Test
    void aCostAboveTheCapacityNeverPassesAndOneEqualToItDoes() {
        SlidingWindowLog log = log(10, Duration.ofMinutes(1));
        long[] full = log.full(at(0));
        assertThat(log.waitNanos(full, at(0), 11)).isEqualTo(LimitState.NEVER);
        assertThat(log.remaining(log.spend(full, at(0), 1), at(0))).isEqualTo(9);
        assertThat(log.admits(full, at(0), 10)).isTrue();
        long[] read = log.spend(full, at(0), 1);
        assertThat(log.waitNanos(read, at(SECOND), 10)).isEqualTo(59 * SECOND);
        assertThat(log.admits(read, at(MINUTE), 10)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"P1D", "P30D", "P36500D"})
    void slowRatesNameTheirWholeWait(Duration period) {
        SlidingWindowLog log = log(1, period);
        long[] state = log.spend(log.full(at(7)), at(7), 1);
        assertThat(log.waitNanos(state, at(7), 1)).isEqualTo(period.toNanos());
    }

    @Test
    void aClientThatGoesOnWhileItIsRefusedPushesItsNextTokenAway() {
        SlidingWindowLog log = log(2, Duration.ofMinutes(1));
        long[] state = log.spend(log.full(at(0)), at(0), 2);
        state = log.spendRefused(state, at(30 * SECOND), 1);
        assertThat(state).containsExactly(0, 30 * SECOND);
        state = log.spendRefused(state, at(40 * SECOND), 7);
        assertThat(state).containsExactly(40 * SECOND, 40 * SECOND);
    }

    @Test
    void aRefundRemovesEntriesOfTheChargesTimeOnly() {
        SlidingWindowLog log = log(10, Duration.ofMinutes(1));
        long[] state = log.spend(log.full(at(0)), at(0), 2);
        long[] charged = log.spend(state, at(SECOND), 3);
        long[] receipt = log.receipt(charged, charged);
        assertThat(receipt).hasSize(1);
        state = log.spend(charged, at(2 * SECOND), 1);
        assertThat(log.refund(state, at(2 * SECOND), 2, receipt)).containsExactly(0, 0, SECOND, 2 * SECOND);
        assertThat(log.refund(state, at(2 * SECOND), 9, receipt)).containsExactly(0, 0, 2 * SECOND);
        assertThat(log.remaining(log.refund(state, at(MINUTE + SECOND), 3, receipt), at(MINUTE + SECOND)))
                .isEqualTo(9);
    }

    @Test
    void theNewestEntriesGoOnUnderAnotherLimit() {
        SlidingWindowLog before = log(100, Duration.ofMinutes(1));
        SlidingWindowLog after = log(3, Duration.ofMinutes(1));
        long[] state = before.spend(before.full(at(0)), at(0), 2);
        state = before.spend(state, at(SECOND), 2);
        assertThat(after.carryOver(before, state, at(2 * SECOND))).containsExactly(0, SECOND, SECOND);
        assertThat(after.carryOver(before, state, at(MINUTE))).containsExactly(SECOND, SECOND);
        SlidingWindowLog longer = log(3, Duration.ofHours(1));
        assertThat(longer.carryOver(before, state, at(MINUTE))).containsExactly(MINUTE, MINUTE);
    }

    @Test
    void wordsThatMakeNoSenseDoNotArrive() {
        SlidingWindowLog log = log(2, Duration.ofMinutes(1));
        long[][] words = {{-3, -2, -1}, {-1, -2}, {-MINUTE}, {2 * SECOND}, {Long.MIN_VALUE}};
        for (long[] departed : words) {
            assertThatThrownBy(() -> log.arrive(departed, at(0))).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void refusesToWriteDownMoreThanTenThousandTokens() {
        assertThat(log(10_000, Duration.ofMinutes(1)).capacity()).isEqualTo(10_000);
        assertThatThrownBy(() -> log(10_001, Duration.ofMinutes(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("use sliding-window-counter");
    }

    private static Moment at(long nanos) {
        return Moment.ofNanos(nanos);
    }

    private static SlidingWindowLog log(long tokens, Duration period) {
        return SlidingWindowLog.of(new Limit(tokens, period, tokens, Algorithm.SLIDING_WINDOW_LOG));
    }
}
