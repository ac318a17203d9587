package io.ratelimit.core.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.LimitState;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Alignment;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.LimitOptions;
import io.ratelimit.rules.Penalty;
import io.ratelimit.rules.Refill;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.Charge;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every store promises of each algorithm that hosts can share. */
public abstract class AlgorithmContract extends StoreContract {

    /** The ways of counting, each with the options that make it another one. */
    protected enum Way {
        TOKEN_BUCKET(Algorithm.TOKEN_BUCKET, LimitOptions.NONE),
        LEAKY_BUCKET(Algorithm.LEAKY_BUCKET, LimitOptions.NONE),
        GCRA(Algorithm.GCRA, LimitOptions.NONE),
        INTERVAL_REFILL(Algorithm.TOKEN_BUCKET, LimitOptions.NONE.withRefill(Refill.INTERVAL)),
        CALENDAR_REFILL(
                Algorithm.TOKEN_BUCKET,
                LimitOptions.NONE.withRefill(Refill.INTERVAL).withAlignment(new Alignment.Clock(ZoneOffset.UTC))),
        FIXED_WINDOW(Algorithm.FIXED_WINDOW, LimitOptions.NONE),
        CALENDAR_WINDOW(Algorithm.FIXED_WINDOW, LimitOptions.NONE.withAlignment(new Alignment.Clock(ZoneOffset.UTC))),
        SLIDING_LOG(Algorithm.SLIDING_WINDOW_LOG, LimitOptions.NONE),
        SLIDING_COUNTER(Algorithm.SLIDING_WINDOW_COUNTER, LimitOptions.NONE),
        CALENDAR_COUNTER(
                Algorithm.SLIDING_WINDOW_COUNTER, LimitOptions.NONE.withAlignment(new Alignment.Clock(ZoneOffset.UTC))),
        PRECISE_COUNTER(Algorithm.SLIDING_WINDOW_COUNTER, LimitOptions.NONE.withPrecision(5));

        private final Algorithm algorithm;
        private final LimitOptions options;

        Way(Algorithm algorithm, LimitOptions options) {
            this.algorithm = algorithm;
            this.options = options;
        }

        Limit limit(long tokens, Duration period) {
            return new Limit(tokens, period, tokens, algorithm, options);
        }

        boolean writesDownEachToken() {
            return this == SLIDING_LOG;
        }
    }

    @ParameterizedTest
    @EnumSource
    void passesWhatTheLimitHoldsAndNoMore(Way way) {
        BucketSpec spec = spec("everyone", way.limit(10, MINUTE));
        for (long left = 9; left >= 0; left--) {
            assertThat(remaining(spend(alice, spec, 1))).isEqualTo(left);
        }
        SpendOutcome refused = spend(alice, spec, 1);
        assertThat(refused.allowed()).isFalse();
        assertThat(remaining(refused)).isZero();
        assertThat(spend(bob, spec, 1).allowed()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void passesAfterExactlyTheWaitThatItAdvertised(Way way) {
        BucketSpec spec = spec("everyone", way.limit(10, MINUTE));
        assertThat(admitted(alice, spec, 12)).isEqualTo(10);
        for (long cost : List.of(1L, 3L, 10L)) {
            admitted(alice, spec, 10);
            LimitState refused = states(spend(alice, spec, cost)).get(0);
            assertThat(refused.waitNanos()).isPositive().isLessThanOrEqualTo(2 * 60 * NANOS);
            clock.advanceNanos(refused.waitNanos());
            assertThat(spend(alice, spec, cost).allowed()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aCostAboveTheCapacityNeverPassesAndSpendsNothing(Way way) {
        BucketSpec spec = spec("everyone", way.limit(10, MINUTE));
        SpendOutcome export = spend(alice, spec, 11);
        assertThat(export.allowed()).isFalse();
        assertThat(states(export).get(0).waitNanos()).isEqualTo(LimitState.NEVER);
        assertThat(remaining(spend(alice, spec, 1))).isEqualTo(9);
        assertThat(remaining(spend(bob, spec, 10))).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void aRefusalChangesNothing(Way way) {
        BucketSpec spec = spec("everyone", way.limit(10, MINUTE));
        spend(alice, spec, 7);
        List<LimitState> before = states(look(alice, spec));
        for (int i = 0; i < 20; i++) {
            assertThat(spend(alice, spec, 4).allowed()).isFalse();
        }
        assertThat(states(look(alice, spec))).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource
    void whatIsGivenBackCanBeSpentAgain(Way way) {
        BucketSpec spec = spec("everyone", way.limit(10, MINUTE));
        Receipt receipt = receipt(spend(alice, spec, 6));
        spend(alice, spec, 4);
        refund(receipt, 6);
        assertThat(remaining(look(alice, spec))).isEqualTo(6);
        assertThat(admitted(alice, spec, 10)).isEqualTo(6);
    }

    @ParameterizedTest
    @EnumSource
    void whatHasComeBackByItselfIsNotGivenBackAgain(Way way) {
        BucketSpec spec = spec("everyone", way.limit(10, MINUTE));
        Receipt receipt = receipt(spend(alice, spec, 10));
        clock.advance(Duration.ofMinutes(3));
        spend(alice, spec, 5);
        refund(receipt, 10);
        assertThat(remaining(look(alice, spec))).isEqualTo(5);
    }

    @ParameterizedTest
    @EnumSource
    void slowRatesAreRefusedForAsLongAsTheyAre(Way way) {
        for (Duration period : List.of(Duration.ofDays(1), Duration.ofDays(30))) {
            BucketSpec spec = spec("slow-" + period.toDays(), way.limit(1, period));
            assertThat(spend(alice, spec, 1).allowed()).isTrue();
            LimitState refused = states(spend(alice, spec, 1)).get(0);
            clock.advanceNanos(refused.waitNanos() - 1_000_000);
            assertThat(spend(alice, spec, 1).allowed()).isFalse();
            clock.advanceNanos(1_000_000);
            assertThat(spend(alice, spec, 1).allowed()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void largeLimitsAreCountedExactly(Way way) {
        if (way.writesDownEachToken()) {
            return;
        }
        BucketSpec spec = spec("bulk", way.limit(980_000_000, Duration.ofSeconds(10)));
        assertThat(remaining(spend(alice, spec, 980_000_000))).isZero();
        SpendOutcome refused = spend(alice, spec, 980_000_000);
        assertThat(refused.allowed()).isFalse();
        clock.advanceNanos(states(refused).get(0).waitNanos());
        assertThat(remaining(spend(alice, spec, 980_000_000))).isZero();

        BucketSpec huge = spec("huge", way.limit(100_000_000_000_000L, Duration.ofHours(1)));
        assertThat(remaining(spend(alice, huge, 1))).isEqualTo(99_999_999_999_999L);
        assertThat(remaining(spend(alice, huge, 99_999_999_999_999L))).isZero();
        assertThat(spend(alice, huge, 1).allowed()).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void aReloadIsNoAmnestyAndATightenedLimitBitesAtOnce(Way way) {
        Duration quarter = Duration.ofMinutes(15);
        spend(alice, spec("everyone", 1, way.limit(1_000, quarter)), 1);
        BucketSpec tighter = spec("everyone", 2, way.limit(10, quarter));
        assertThat(admitted(alice, tighter, 20)).isEqualTo(9);
        BucketSpec wider = spec("everyone", 3, way.limit(50, quarter));
        assertThat(admitted(alice, wider, 60)).isEqualTo(40);
        assertThat(admitted(alice, spec("everyone", 4, way.limit(50, quarter)), 5))
                .isZero();
    }

    @ParameterizedTest
    @EnumSource
    void anotherAlgorithmGoesOnWithWhatWasUsed(Way way) {
        for (Way other : Way.values()) {
            String name = "from-" + way + "-to-" + other;
            spend(alice, spec(name, 1, way.limit(10, MINUTE)), 4);
            assertThat(admitted(alice, spec(name, 2, other.limit(10, MINUTE)), 20))
                    .as(name)
                    .isEqualTo(6);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anOptionThatComesOrGoesLeavesTokensOnTheirWay(Way way) {
        Limit plain = way.limit(10, MINUTE);
        Limit optional = plain.with(plain.options().withMinInterval(Duration.ofMillis(1)));
        spend(alice, spec("everyone", 1, plain), 10);
        clock.advance(Duration.ofSeconds(3));
        long wait = states(spend(alice, spec("everyone", 1, plain), 1)).get(0).waitNanos();
        assertThat(states(spend(alice, spec("everyone", 2, optional), 1)).get(0).waitNanos())
                .isEqualTo(wait);
    }

    @ParameterizedTest
    @EnumSource
    void theTighterOfTwoLimitsSpeaks(Way way) {
        BucketSpec spec = spec("everyone", way.limit(60, MINUTE), way.limit(3, Duration.ofHours(1)));
        for (long left = 2; left >= 0; left--) {
            assertThat(states(spend(alice, spec, 1)).get(1).remaining()).isEqualTo(left);
        }
        SpendOutcome refused = spend(alice, spec, 1);
        assertThat(states(refused).get(0).admits()).isTrue();
        assertThat(states(refused).get(0).remaining()).isEqualTo(57);
        assertThat(states(refused).get(1).waitNanos()).isGreaterThanOrEqualTo(1200 * NANOS - NANOS);
        clock.advance(Duration.ofSeconds(65));
        assertThat(spend(alice, spec, 1).allowed()).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void theWallClockMayStep(Way way) {
        BucketSpec spec = spec("everyone", way.limit(10, MINUTE));
        spend(alice, spec, 3);
        clock.stepWallClock(Duration.ofDays(-2));
        assertThat(admitted(alice, spec, 8)).isEqualTo(7);
        assertThat(states(spend(alice, spec, 1)).get(0).waitNanos()).isBetween(1L, 2 * 60 * NANOS);

        spend(bob, spec, 10);
        clock.stepWallClock(Duration.ofHours(1));
        assertThat(admitted(bob, spec, 20)).isLessThanOrEqualTo(10);
    }

    @ParameterizedTest
    @EnumSource
    void theOriginOfTheClockMeansNothing(Way way) {
        List<List<Boolean>> answers = Stream.of(0L, -10 * NANOS, Long.MAX_VALUE - 5 * NANOS)
                .map(origin -> script(way, origin))
                .toList();
        assertThat(answers).allSatisfy(answer -> assertThat(answer).isEqualTo(answers.get(0)));
    }

    private List<Boolean> script(Way way, long origin) {
        restartWith(new ManualTimeSource(origin));
        BucketSpec spec = spec("everyone-" + origin, way.limit(10, Duration.ofSeconds(10)));
        Boolean[] passed = new Boolean[20];
        for (int i = 0; i < passed.length; i++) {
            passed[i] = spend(alice, spec, 2).allowed();
            clock.advance(SECOND);
        }
        return Arrays.asList(passed);
    }

    @ParameterizedTest
    @EnumSource
    void lateChargesLeaveNothingToSpend(Way way) {
        BucketSpec spec = spec("everyone", way.limit(10, MINUTE));
        spend(alice, spec, 8);
        assertThat(spend(List.of(new Charge(alice, spec, 5).as(Charge.Kind.LATE)))
                        .allowed())
                .isTrue();
        assertThat(remaining(look(alice, spec))).isZero();
        clock.advance(Duration.ofMinutes(3));
        assertThat(remaining(look(alice, spec))).isEqualTo(10);
    }

    @ParameterizedTest
    @EnumSource
    void aClientThatUsedAllBeforeTheWallClockSteppedBackWaitsForOneWindowAndNoMore(Way way) {
        BucketSpec spec = spec("everyone", way.limit(10, MINUTE));
        spend(alice, spec, 10);
        clock.stepWallClock(Duration.ofDays(-2));
        for (int i = 0; i < 2; i++) {
            SpendOutcome outcome = spend(alice, spec, 1);
            if (outcome.allowed()) {
                return;
            }
            clock.advanceNanos(states(outcome).get(0).waitNanos());
        }
        assertThat(spend(alice, spec, 1).allowed()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void optionsHoldWhereverTheBucketIs(Way way) {
        LimitOptions options = way.options
                .withMinInterval(Duration.ofMillis(200))
                .withChargeRefused(true)
                .withPenalty(new Penalty(3, Duration.ofMinutes(5)));
        BucketSpec spec = spec("everyone", way.limit(10, MINUTE).with(options));
        SpendOutcome first = spend(alice, spec, 4);
        assertThat(remaining(first)).isEqualTo(6);
        refund(receipt(first), 4);
        assertThat(remaining(look(alice, spec))).isEqualTo(10);

        // Too early, and counted all the same
        assertThat(states(spend(alice, spec, 1)).get(0).waitNanos()).isEqualTo(200_000_000L);
        assertThat(remaining(look(alice, spec))).isEqualTo(9);
        clock.advanceNanos(200_000_000L);
        assertThat(spend(alice, spec, 1).allowed()).isTrue();

        spend(alice, spec, 1);
        SpendOutcome penalised = spend(alice, spec, 1);
        assertThat(penalised.allowed()).isFalse();
        assertThat(states(spend(alice, spec, 1)).get(0).waitNanos()).isEqualTo(300 * NANOS);
        clock.advance(Duration.ofMinutes(5));
        assertThat(spend(alice, spec, 1).allowed()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void theRefusalThatBeginsAPenaltyTellsItsWait(Way way) {
        LimitOptions options = way.options.withPenalty(new Penalty(1, Duration.ofMinutes(10)));
        BucketSpec spec = spec("everyone", way.limit(5, MINUTE).with(options));
        spend(alice, spec, 5);
        assertThat(states(spend(alice, spec, 1)).get(0).waitNanos()).isEqualTo(600 * NANOS);
        clock.advance(Duration.ofMinutes(10));
        assertThat(spend(alice, spec, 1).allowed()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void whatARequestCostsMoreIsNoOtherRequest(Way way) {
        LimitOptions options = way.options.withMinInterval(SECOND);
        BucketSpec spec = spec("everyone", way.limit(10, MINUTE).with(options));
        assertThat(spend(alice, spec, 1).allowed()).isTrue();
        assertThat(spend(List.of(new Charge(alice, spec, 2).as(Charge.Kind.MORE)))
                        .allowed())
                .isTrue();
        clock.advanceNanos(NANOS / 2);
        assertThat(spend(List.of(new Charge(alice, spec, 3).as(Charge.Kind.LATE)))
                        .allowed())
                .isTrue();
        assertThat(remaining(look(alice, spec))).isEqualTo(4);
        assertThat(states(spend(alice, spec, 1)).get(0).waitNanos()).isEqualTo(NANOS / 2);
        clock.advanceNanos(NANOS / 2);
        assertThat(spend(alice, spec, 1).allowed()).isTrue();
        assertThat(spend(List.of(new Charge(alice, spec, 9).as(Charge.Kind.MORE)))
                        .allowed())
                .isFalse();
    }
}
