package io.ratelimit.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LimitTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Test
    void aClientCanSaveOnePeriodsTokensUnlessABurstIsSet() {
        assertThat(Limit.of(20, MINUTE).capacity()).isEqualTo(20);
        assertThat(Limit.of(20, MINUTE).withBurst(40).capacity()).isEqualTo(40);
        assertThat(Limit.of(20, MINUTE).withBurst(40).tokens()).isEqualTo(20);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Limit.MOST_TOKENS + 1, Long.MIN_VALUE, Long.MAX_VALUE})
    void tokensOutOfRangeAreRefusedWithTheirValue(long tokens) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.of(tokens, MINUTE))
                .withMessageContaining("tokens")
                .withMessageContaining(Long.toString(tokens));
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 0, Limit.MOST_TOKENS + 1})
    void aBurstOutOfRangeIsRefusedWithItsValue(long burst) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.of(1, MINUTE).withBurst(burst))
                .withMessageContaining("burst")
                .withMessageContaining(Long.toString(burst));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT876000H0.000000001S"})
    void aPeriodOutOfRangeIsRefusedWithItsValue(String period) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.of(1, Duration.parse(period)))
                .withMessageContaining("period")
                .withMessageContaining(Duration.parse(period).toString());
    }

    @Test
    void theEdgesOfTheRangeAreAccepted() {
        assertThatCode(() -> Limit.of(Limit.MOST_TOKENS, Limit.LONGEST_PERIOD)).doesNotThrowAnyException();
        assertThatCode(() -> Limit.of(1, Duration.ofNanos(1))).doesNotThrowAnyException();
        assertThat(Limit.LONGEST_PERIOD.toNanos()).isPositive();
    }

    @Test
    void aLimitOfNoTokensIsBlockedAndSavesNone() {
        assertThat(Limit.of(0, MINUTE).isBlocked()).isTrue();
        assertThat(Limit.BLOCKED.isBlocked()).isTrue();
        assertThat(Limit.of(1, MINUTE).isBlocked()).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.of(0, MINUTE).withBurst(1));
    }

    @Test
    void aLimitContinuesOneOfTheSamePeriodWhateverItsAmount() {
        Limit limit = Limit.of(5, MINUTE);
        assertThat(limit.pairsWith(Limit.of(50, Duration.ofSeconds(60)).withBurst(7)))
                .isTrue();
        assertThat(limit.pairsWith(Limit.of(5, Duration.ofSeconds(61)))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "PT1S, 1s",
        "PT90S, 90s",
        "PT15M, 15m",
        "PT60M, 1h",
        "PT24H, 1d",
        "PT720H, 30d",
        "PT36H, 36h",
        "PT0.25S, 250ms",
        "PT0.000001S, 1us",
        "PT0.000000001S, 1ns",
        "PT1.000000001S, 1000000001ns"
    })
    void aPeriodIsToldInTheLargestUnitThatDividesIt(String period, String text) {
        assertThat(Limit.of(1, Duration.parse(period)).periodText()).isEqualTo(text);
    }

    @Test
    void aLimitReadsLikeTheRulesFile() {
        assertThat(Limit.of(20, Duration.ofSeconds(1)).withBurst(40)).hasToString("20 per 1s burst 40");
        assertThat(Limit.of(5, Duration.ofMinutes(15))).hasToString("5 per 15m");
        assertThat(Limit.BLOCKED).hasToString("0");
    }
}
