package io.ratelimit.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.LimitState;
import io.ratelimit.rules.Limit;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WaitsTest {

    @ParameterizedTest
    @CsvSource({"1, 1", "999999999, 1", "1000000000, 1", "1000000001, 2", "-1, -1", "9223372036854775807, 9223372037"})
    void aWaitIsRoundedUpAndAtLeastASecond(long nanos, long seconds) {
        assertThat(Waits.untilAdmitted(new LimitState(0, nanos, 1))).isEqualTo(seconds);
    }

    @ParameterizedTest
    @CsvSource({
        "20, PT1S, 40, 2",
        "500, PT1H, 500, 3600",
        "100, PT1S, 1, 1",
        "3, PT10S, 1, 4",
        "1000000000000, PT1S, 1000000000000, 1",
        "1000000, P365D, 999999999999999, 31535999999999969",
        "7, PT60S, 999999999999999, 8571428571428563"
    })
    void theTimeToFillIsExactUpToWhatAFieldCanWrite(long tokens, Duration period, long capacity, long seconds) {
        assertThat(Waits.toFill(Limit.of(tokens, period).withBurst(capacity)))
                .isEqualTo(Math.min(seconds, Limit.MOST_TOKENS));
    }

    @Test
    void aLimitThatNeverFillsStillHasAWindow() {
        assertThat(Waits.toFill(Limit.BLOCKED)).isEqualTo(1);
    }

    @Test
    void beyondALongTheTimeToFillIsStillExact() {
        Limit limit = Limit.of(7_000_000, Duration.ofSeconds(60)).withBurst(999_999_999_999_999L);
        assertThat(Waits.toFill(limit)).isEqualTo(8_571_428_572L);
    }
}
