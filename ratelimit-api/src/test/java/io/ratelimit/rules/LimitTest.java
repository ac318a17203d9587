package io.ratelimit.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class LimitTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Penalty PENALTY = new Penalty(3, MINUTE);

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
        "PT0.000001S, PT0.000001S",
        "PT0.000000001S, PT0.000000001S",
        "PT1.000000001S, PT1.000000001S"
    })
    void aPeriodIsToldInTheLargestUnitThatDividesItOrInIso8601(String period, String text) {
        assertThat(Limit.of(1, Duration.parse(period)).periodText()).isEqualTo(text);
    }

    @Test
    void aLimitReadsLikeTheRulesFile() {
        assertThat(Limit.of(20, Duration.ofSeconds(1)).withBurst(40)).hasToString("20 per 1s burst 40");
        assertThat(Limit.of(5, Duration.ofMinutes(15))).hasToString("5 per 15m");
        assertThat(Limit.BLOCKED).hasToString("0");
    }

    @Test
    void aLimitThatIsMoreThanARateReadsLikeAMappingOfTheRulesFileWithoutDefaults() {
        LimitOptions none = LimitOptions.NONE;
        assertThat(limit(Algorithm.GCRA, 9, none)).hasToString("{ tokens: 5, per: 1m, burst: 9, algorithm: gcra }");
        assertThat(limit(Algorithm.TOKEN_BUCKET, 9, none.withRefill(Refill.INTERVAL)))
                .hasToString("{ tokens: 5, per: 1m, burst: 9, refill: interval }");
        assertThat(limit(Algorithm.FIXED_WINDOW, none.withAlignment(new Alignment.Clock(ZoneOffset.UTC))))
                .hasToString("{ tokens: 5, per: 1m, algorithm: fixed-window, align: clock }");
        assertThat(limit(Algorithm.FIXED_WINDOW, none.withAlignment(new Alignment.Clock(ZoneId.of("Europe/Berlin")))))
                .hasToString("{ tokens: 5, per: 1m, algorithm: fixed-window, align: clock, zone: Europe/Berlin }");
        assertThat(limit(Algorithm.SLIDING_WINDOW_COUNTER, none.withPrecision(6)))
                .hasToString("{ tokens: 5, per: 1m, algorithm: sliding-window-counter, precision: 6 }");
        assertThat(limit(Algorithm.TOKEN_BUCKET, none.withMinInterval(Duration.ofMillis(1_500))))
                .hasToString("{ tokens: 5, per: 1m, minInterval: 1500ms }");
        assertThat(limit(
                        Algorithm.TOKEN_BUCKET,
                        none.withChargeRefused(true).withPenalty(new Penalty(3, Duration.ofMinutes(10)))))
                .hasToString("{ tokens: 5, per: 1m, chargeRefused: true, penalty: { after: 3, for: 10m } }");
        assertThat(limit(Algorithm.WARM_UP, none.withWarmUp(Duration.ofSeconds(30))))
                .hasToString("{ tokens: 5, per: 1m, algorithm: warm-up, warmUp: 30s }");
    }

    @Test
    void requestsInFlightHaveNoPeriod() {
        Limit limit = new Limit(5, Duration.ZERO, 5, Algorithm.CONCURRENCY);
        assertThat(limit).hasToString("{ tokens: 5, algorithm: concurrency }");
        assertThat(limit.periodText()).isEqualTo("in-flight");
        assertThat(new Limit(5, Duration.ZERO, 9, Algorithm.CONCURRENCY, LimitOptions.NONE.withAdaptive(true)))
                .hasToString("{ tokens: 5, burst: 9, algorithm: concurrency, adaptive: true }");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Limit(5, MINUTE, 5, Algorithm.CONCURRENCY))
                .withMessageContaining("concurrency has no period");
    }

    @ParameterizedTest
    @EnumSource(names = {"FIXED_WINDOW", "SLIDING_WINDOW_LOG", "SLIDING_WINDOW_COUNTER"})
    void windowsHaveNoBurst(Algorithm algorithm) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limit(algorithm, 9, LimitOptions.NONE))
                .withMessage(algorithm.word() + " has no burst: leave the burst of 9 out, or use token-bucket");
    }

    @ParameterizedTest
    @EnumSource(names = {"TOKEN_BUCKET", "LEAKY_BUCKET", "GCRA"})
    void bucketsHaveABurst(Algorithm algorithm) {
        assertThat(limit(algorithm, 9, LimitOptions.NONE).capacity()).isEqualTo(9);
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"TOKEN_BUCKET", "CONCURRENCY", "WARM_UP"})
    void onlyATokenBucketRefillsByInterval(Algorithm algorithm) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limit(algorithm, LimitOptions.NONE.withRefill(Refill.INTERVAL)))
                .withMessageContaining(algorithm.word() + " does not refill by interval");
    }

    @ParameterizedTest
    @EnumSource(names = {"TOKEN_BUCKET", "LEAKY_BUCKET", "GCRA", "SLIDING_WINDOW_LOG"})
    void onlyWindowsBeginWithTheClock(Algorithm algorithm) {
        LimitOptions clock = LimitOptions.NONE.withAlignment(new Alignment.Clock(ZoneOffset.UTC));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limit(algorithm, clock))
                .withMessageContaining(algorithm.word() + " has no windows that could begin with the clock");
        assertThatCode(() -> limit(Algorithm.TOKEN_BUCKET, clock.withRefill(Refill.INTERVAL)))
                .doesNotThrowAnyException();
        assertThatCode(() -> limit(Algorithm.SLIDING_WINDOW_COUNTER, clock)).doesNotThrowAnyException();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limit(Algorithm.SLIDING_WINDOW_COUNTER, clock.withPrecision(2)))
                .withMessageContaining("precision");
    }

    @Test
    void onlyASlidingWindowCounterHasAPrecisionAndItDividesThePeriod() {
        assertThatCode(() -> limit(Algorithm.SLIDING_WINDOW_COUNTER, LimitOptions.NONE.withPrecision(1_000)))
                .doesNotThrowAnyException();
        for (int precision : new int[] {-1, 0, 7, 1_001}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(
                            () -> limit(Algorithm.SLIDING_WINDOW_COUNTER, LimitOptions.NONE.withPrecision(precision)))
                    .withMessageContaining("precision")
                    .withMessageContaining(String.valueOf(precision));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limit(Algorithm.GCRA, LimitOptions.NONE.withPrecision(2)))
                .withMessageContaining("gcra has no sub-windows");
    }

    @Test
    void warmUpNeedsATimeAndNothingElseTakesOne() {
        LimitOptions warm = LimitOptions.NONE.withWarmUp(Duration.ofSeconds(30));
        assertThat(limit(Algorithm.WARM_UP, 2, warm).capacity()).isEqualTo(2);
        assertThatIllegalArgumentException().isThrownBy(() -> limit(Algorithm.WARM_UP, LimitOptions.NONE));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limit(Algorithm.WARM_UP, LimitOptions.NONE.withWarmUp(Duration.ofSeconds(-1))));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limit(Algorithm.TOKEN_BUCKET, warm))
                .withMessageContaining("token-bucket does not warm up");
        assertThatIllegalArgumentException().isThrownBy(() -> limit(Algorithm.WARM_UP, warm.withChargeRefused(true)));
        assertThatIllegalArgumentException().isThrownBy(() -> limit(Algorithm.WARM_UP, warm.withPenalty(PENALTY)));
    }

    @Test
    void requestsInFlightTakeNoOptionThatNeedsAPeriod() {
        for (LimitOptions options : List.of(
                LimitOptions.NONE.withMinInterval(Duration.ofSeconds(1)),
                LimitOptions.NONE.withChargeRefused(true),
                LimitOptions.NONE.withPenalty(PENALTY))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new Limit(5, Duration.ZERO, 5, Algorithm.CONCURRENCY, options))
                    .withMessageStartingWith("concurrency ");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Limit(5, Duration.ZERO, 9, Algorithm.CONCURRENCY))
                .withMessageContaining("write adaptive: true");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limit(Algorithm.TOKEN_BUCKET, LimitOptions.NONE.withAdaptive(true)))
                .withMessageContaining("learns nothing");
    }

    @Test
    void aNegativeSpacingIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> limit(Algorithm.TOKEN_BUCKET, LimitOptions.NONE.withMinInterval(Duration.ofNanos(-1))))
                .withMessageContaining("minInterval");
    }

    private static Limit limit(Algorithm algorithm, LimitOptions options) {
        return limit(algorithm, 5, options);
    }

    private static Limit limit(Algorithm algorithm, long capacity, LimitOptions options) {
        return new Limit(5, MINUTE, capacity, algorithm, options);
    }
}
