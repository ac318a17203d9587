package io.ratelimit.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.LimitState;
import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.LimitOptions;
import io.ratelimit.rules.Penalty;
import io.ratelimit.rules.Refill;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LimitAlgorithmTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    @ParameterizedTest
    @CsvSource({
        "TOKEN_BUCKET, TokenBucket",
        "LEAKY_BUCKET, TokenBucket",
        "GCRA, TokenBucket",
        "FIXED_WINDOW, IntervalBucket",
        "SLIDING_WINDOW_LOG, SlidingWindowLog",
        "SLIDING_WINDOW_COUNTER, SlidingWindowCounter",
        "CONCURRENCY, Concurrency"
    })
    void everyAlgorithmCountsInItsWay(Algorithm algorithm, String type) {
        Duration period = algorithm == Algorithm.CONCURRENCY ? Duration.ZERO : SECOND;
        LimitAlgorithm made = LimitAlgorithm.of(new Limit(5, period, 5, algorithm));
        assertThat(made.getClass().getSimpleName()).isEqualTo(type);
        assertThat(made.capacity()).isEqualTo(5);
        assertThat(made.remaining(made.full(Moment.ofNanos(0)), Moment.ofNanos(0)))
                .isEqualTo(5);
    }

    @Test
    void optionsOfAnAlgorithmChangeHowItCounts() {
        assertThat(of(Algorithm.TOKEN_BUCKET, LimitOptions.NONE.withRefill(Refill.INTERVAL)))
                .isInstanceOf(IntervalBucket.class);
        assertThat(of(Algorithm.WARM_UP, LimitOptions.NONE.withWarmUp(SECOND))).isInstanceOf(WarmUp.class);
        Limit adaptive = new Limit(5, Duration.ZERO, 5, Algorithm.CONCURRENCY, LimitOptions.NONE.withAdaptive(true));
        assertThat(LimitAlgorithm.of(adaptive)).isInstanceOf(AdaptiveConcurrency.class);
    }

    @Test
    void optionsOfALimitLieOverItsAlgorithmInOneOrder() {
        LimitOptions options = LimitOptions.NONE
                .withPenalty(new Penalty(2, SECOND))
                .withChargeRefused(true)
                .withMinInterval(SECOND);
        LimitAlgorithm outer = of(Algorithm.TOKEN_BUCKET, options);
        assertThat(outer).isInstanceOf(Penalised.class);
        LimitAlgorithm middle = ((Decorator) outer).inner();
        assertThat(middle).isInstanceOf(ChargedRefusals.class);
        LimitAlgorithm inner = ((Decorator) middle).inner();
        assertThat(inner).isInstanceOf(Spaced.class);
        assertThat(((Decorator) inner).inner()).isInstanceOf(TokenBucket.class);
        assertThat(outer.capacity()).isEqualTo(5);
    }

    @Test
    void aBlockedLimitHasNothingToCountWhateverItsAlgorithm() {
        LimitAlgorithm blocked = LimitAlgorithm.of(Limit.BLOCKED);
        assertThat(blocked.capacity()).isZero();
        assertThat(blocked.waitNanos(blocked.full(Moment.ofNanos(0)), Moment.ofNanos(0), 1))
                .isEqualTo(LimitState.NEVER);
    }

    @Test
    void aTurnIsGrantedAsFarAheadAsOneWaitsAndAsTokensCanBeOwed() {
        LimitAlgorithm owes = of(Algorithm.TOKEN_BUCKET, LimitOptions.NONE);
        assertThat(owes.longestTurnNanos()).isGreaterThan(1_000);
        assertThat(owes.isGranted(100, 100)).isTrue();
        assertThat(owes.isGranted(101, 100)).isFalse();
        assertThat(owes.isGranted(0, 0)).isTrue();
        assertThat(owes.isGranted(LimitState.NEVER, Long.MAX_VALUE)).isFalse();
        LimitAlgorithm owesNothing = of(Algorithm.FIXED_WINDOW, LimitOptions.NONE);
        assertThat(owesNothing.longestTurnNanos()).isZero();
        assertThat(owesNothing.isGranted(1, 100)).isFalse();
        assertThat(owesNothing.isGranted(0, 100)).isTrue();
    }

    @Test
    void theTighterOfTwoStatesHasFewerTokensOrFillsLater() {
        LimitAlgorithm window = of(Algorithm.FIXED_WINDOW, LimitOptions.NONE);
        Moment now = Moment.ofNanos(500);
        long[] oneUsed = window.spend(window.full(Moment.ofNanos(100)), Moment.ofNanos(100), 1);
        long[] twoUsed = window.spend(window.full(Moment.ofNanos(0)), Moment.ofNanos(0), 2);
        assertThat(window.tighter(oneUsed, twoUsed, now)).isSameAs(twoUsed);
        assertThat(window.tighter(twoUsed, oneUsed, now)).isSameAs(twoUsed);
        long[] later = window.spend(window.full(now), now, 2);
        assertThat(window.tighter(twoUsed, later, now)).isSameAs(later);
        assertThat(window.tighter(later, twoUsed, now)).isSameAs(later);
        assertThat(window.tighter(later, later.clone(), now)).isSameAs(later);
    }

    private static LimitAlgorithm of(Algorithm algorithm, LimitOptions options) {
        return LimitAlgorithm.of(new Limit(5, SECOND, 5, algorithm, options));
    }
}
