package io.ratelimit.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ratelimit.LimitState;
import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.LimitOptions;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlidingWindowCounterTest {

    private static final long SECOND = 1_000_000_000L;
    private static final long MINUTE = 60 * SECOND;

    @Test
    void weighsTheWindowBeforeByThePartOfItThatLiesInThePeriod() {
        // 42 x 0.75 + 18 = 49.5, so that half a token is missing for the 51st of 100.
        SlidingWindowCounter counter = counter(100, Duration.ofMinutes(1), 1);
        long[] state = counter.spend(counter.full(at(0)), at(0), 42);
        state = counter.spend(state, at(MINUTE), 18);
        assertThat(counter.remaining(state, at(MINUTE + 15 * SECOND))).isEqualTo(50);
        assertThat(counter.admits(state, at(MINUTE + 15 * SECOND), 51)).isFalse();
        // The half token is gone when 42 has sunk by 0.5: after a 84th of a minute.
        assertThat(counter.waitNanos(state, at(MINUTE + 15 * SECOND), 51)).isEqualTo((MINUTE + 83) / 84);
        assertThat(counter.nextTokenNanos(state, at(MINUTE + 15 * SECOND))).isEqualTo((MINUTE + 83) / 84);
    }

    @Test
    void subWindowsLeaveOneAfterAnother() {
        SlidingWindowCounter counter = counter(60, Duration.ofMinutes(1), 6);
        long[] state = counter.full(at(0));
        for (int i = 0; i < 6; i++) {
            state = counter.spend(state, at(i * 10 * SECOND), 10);
        }
        assertThat(counter.remaining(state, at(MINUTE))).isZero();
        assertThat(counter.remaining(state, at(MINUTE + SECOND))).isEqualTo(1);
        assertThat(counter.remaining(state, at(MINUTE + 25 * SECOND))).isEqualTo(25);
        assertThat(counter.fullNanos(state, at(MINUTE))).isEqualTo(MINUTE);
        assertThat(counter.isFull(state, at(2 * MINUTE))).isTrue();
    }

    @Test
    void aCostAboveTheCapacityNeverPassesAndOneEqualToItDoes() {
        for (int precision : new int[] {1, 10}) {
            SlidingWindowCounter counter = counter(10, Duration.ofMinutes(1), precision);
            long[] full = counter.full(at(0));
            assertThat(counter.waitNanos(full, at(0), 11)).isEqualTo(LimitState.NEVER);
            assertThat(counter.remaining(counter.spend(full, at(0), 1), at(0))).isEqualTo(9);
            assertThat(counter.admits(full, at(0), 10)).isTrue();
            long[] read = counter.spend(full, at(0), 1);
            long wait = counter.waitNanos(read, at(SECOND), 10);
            assertThat(wait).isEqualTo(MINUTE + MINUTE / precision - SECOND);
            assertThat(counter.admits(read, at(SECOND + wait), 10)).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({"P1D", "P30D", "P36500D"})
    void slowRatesNameTheirWholeWait(Duration period) {
        SlidingWindowCounter counter = counter(1, period, 1);
        long[] state = counter.spend(counter.full(at(7)), at(7), 1);
        assertThat(counter.waitNanos(state, at(7), 1)).isEqualTo(2 * period.toNanos());
        assertThat(counter.admits(state, at(7 + 2 * period.toNanos()), 1)).isTrue();
    }

    @Test
    void theLargestNumbersAreExact() {
        long most = Limit.MOST_TOKENS;
        SlidingWindowCounter counter = counter(most, Duration.ofDays(36_500), 1);
        long[] state = counter.spend(counter.full(at(0)), at(0), most);
        long period = Duration.ofDays(36_500).toNanos();
        // One token of 999,999,999,999,999 leaves after 3,153.6 ns.
        assertThat(counter.remaining(state, at(period + 3_153))).isZero();
        assertThat(counter.remaining(state, at(period + 3_154))).isEqualTo(1);
        assertThat(counter.nextTokenNanos(state, at(period))).isEqualTo(3_154);
    }

    @Test
    void aRefundTakesTokensOutOfTheWindowThatCountedThem() {
        SlidingWindowCounter counter = counter(100, Duration.ofMinutes(1), 1);
        long[] charged = counter.spend(counter.full(at(0)), at(0), 40);
        long[] receipt = counter.receipt(charged, charged);
        long[] later = counter.spend(charged, at(MINUTE), 10);
        Moment half = at(MINUTE + 30 * SECOND);
        assertThat(counter.remaining(later, half)).isEqualTo(70);
        assertThat(counter.remaining(counter.refund(later, half, 40, receipt), half))
                .isEqualTo(90);
        Moment left = at(2 * MINUTE);
        assertThat(counter.remaining(counter.refund(later, left, 40, receipt), left))
                .isEqualTo(90);
    }

    @Test
    void countsGoOnUnderAnotherLimit() {
        SlidingWindowCounter before = counter(1_000, Duration.ofMinutes(15), 1);
        SlidingWindowCounter after = counter(10, Duration.ofMinutes(15), 1);
        long[] state = before.spend(before.full(at(0)), at(0), 4);
        long[] carried = after.carryOver(before, state, at(MINUTE));
        assertThat(after.remaining(carried, at(MINUTE))).isEqualTo(6);
        assertThat(after.fullNanos(carried, at(MINUTE))).isEqualTo(29 * MINUTE);
        long[] many = before.spend(state, at(MINUTE), 396);
        assertThat(after.remaining(after.carryOver(before, many, at(MINUTE)), at(MINUTE)))
                .isZero();
        SlidingWindowCounter finer = counter(10, Duration.ofMinutes(15), 3);
        assertThat(finer.remaining(finer.carryOver(before, state, at(MINUTE)), at(MINUTE)))
                .isEqualTo(6);
    }

    @Test
    void wordsThatMakeNoSenseDoNotArrive() {
        SlidingWindowCounter counter = counter(10, Duration.ofMinutes(1), 1);
        long[][] words = {{}, {0, 1}, {0, 1, 2, 3}, {0, -1, 0}, {0, 0, Long.MAX_VALUE}, {-MINUTE, 1, 0}, {MINUTE, 1, 0}
        };
        for (long[] departed : words) {
            assertThatThrownBy(() -> counter.arrive(departed, at(0))).isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static Moment at(long nanos) {
        return Moment.ofNanos(nanos);
    }

    private static SlidingWindowCounter counter(long tokens, Duration period, int precision) {
        LimitOptions options = LimitOptions.NONE.withPrecision(precision);
        return SlidingWindowCounter.of(new Limit(tokens, period, tokens, Algorithm.SLIDING_WINDOW_COUNTER, options));
    }
}
