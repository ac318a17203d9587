package io.ratelimit.core.permits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ratelimit.Permits;
import io.ratelimit.Reservation;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.LimitOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class LocalPermitsTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ManualTimeSource time = new ManualTimeSource(-5);
    private final ManualWaiting waiting = new ManualWaiting(time);

    private Permits permits(Limit limit) {
        return new LocalPermits(limit, time, waiting, waiting);
    }

    private static Limit perSecond(long tokens, Algorithm algorithm) {
        LimitOptions options =
                algorithm == Algorithm.WARM_UP ? LimitOptions.NONE.withWarmUp(SECOND) : LimitOptions.NONE;
        return new Limit(tokens, SECOND, tokens, algorithm, options);
    }

    private Permits emptied(Limit limit) {
        Permits permits = permits(limit);
        assertThat(permits.tryAcquire(limit.capacity())).isTrue();
        return permits;
    }

    private Duration elapsed() {
        return Duration.ofNanos(time.nanoTime() + 5);
    }

    @Test
    void halfAMillionAcquisitionsTakeTheTimeInWhichTheyRefillAfterTheFirstBurst() throws InterruptedException {
        Permits permits = permits(Limit.of(10_000, SECOND));
        for (int i = 0; i < 500_000; i++) {
            permits.acquire();
        }
        assertThat(elapsed()).isEqualTo(Duration.ofSeconds(49));
    }

    @ParameterizedTest
    @EnumSource(
            value = Algorithm.class,
            names = {"TOKEN_BUCKET", "LEAKY_BUCKET", "GCRA"})
    void givesTurnsInTheOrderOfArrival(Algorithm algorithm) throws InterruptedException {
        Permits permits = emptied(perSecond(2, algorithm));
        assertThat(permits.reserve(1).waitTime()).isEqualTo(Duration.ofMillis(500));
        CompletableFuture<Boolean> second = permits.acquireAsync(1, Duration.ofHours(1));
        assertThat(permits.reserve(2, Duration.ofHours(1)))
                .hasValueSatisfying(turn -> assertThat(turn.waitTime()).isEqualTo(Duration.ofSeconds(2)));
        assertThat(permits.tryAcquire()).isFalse();
        waiting.advance(Duration.ofMillis(999));
        assertThat(second).isNotDone();
        waiting.advance(Duration.ofMillis(1));
        assertThat(second).isCompletedWithValue(true);
        permits.acquire();
        assertThat(elapsed()).isEqualTo(Duration.ofMillis(2_500));
    }

    @Test
    void aRateThatWarmsUpGivesTurnsInTheOrderOfArrival() {
        Permits permits = permits(perSecond(10, Algorithm.WARM_UP));
        List<Duration> turns = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            turns.add(permits.reserve(1).waitTime());
        }
        assertThat(turns).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void refusesAtOnceAndChargesNothingWhenTheTimeDoesNotSuffice() throws InterruptedException {
        Permits permits = emptied(Limit.of(10, SECOND));
        Duration tooShort = Duration.ofMillis(100).minusNanos(1);
        assertThat(permits.acquire(1, tooShort)).isFalse();
        assertThat(permits.acquire(1, Duration.ofNanos(-1))).isFalse();
        assertThat(permits.reserve(1, tooShort)).isEmpty();
        assertThat(permits.acquireAsync(1, tooShort)).isCompletedWithValue(false);
        assertThat(elapsed()).isZero();
        assertThat(permits.acquire(1, Duration.ofMillis(100))).isTrue();
        assertThat(elapsed()).isEqualTo(Duration.ofMillis(100));
    }

    @Test
    void givesBackWhatAnInterruptedWaiterTook() throws InterruptedException {
        Permits permits = emptied(Limit.of(10, SECOND));
        waiting.interruptPauses(true);
        assertThatThrownBy(() -> permits.acquire(5)).isInstanceOf(InterruptedException.class);
        assertThatThrownBy(() -> permits.acquire(5, SECOND)).isInstanceOf(InterruptedException.class);
        waiting.interruptPauses(false);
        permits.acquire();
        assertThat(elapsed()).isEqualTo(Duration.ofMillis(100));
    }

    @Test
    void takesNothingForAThreadThatIsInterruptedAlready() {
        Permits permits = permits(Limit.of(1, SECOND));
        Thread.currentThread().interrupt();
        assertThatThrownBy(permits::acquire).isInstanceOf(InterruptedException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(permits.tryAcquire()).isTrue();
    }

    @Test
    void aCancelledReservationGivesItsTokensBackOnce() {
        Permits permits = emptied(Limit.of(10, SECOND));
        Reservation first = permits.reserve(5);
        Reservation second = permits.reserve(1);
        assertThat(second.waitTime()).isEqualTo(Duration.ofMillis(600));
        assertThat(second.cancel()).isTrue();
        assertThat(second.cancel()).isFalse();
        assertThat(first.cancel()).isTrue();
        assertThat(permits.reserve(1).waitTime()).isEqualTo(Duration.ofMillis(100));
    }

    @Test
    void aCancelledTurnThatOthersComeAfterIsNotGivenTwice() {
        Permits permits = emptied(Limit.of(10, SECOND));
        Reservation first = permits.reserve(5);
        assertThat(permits.reserve(1).waitTime()).isEqualTo(Duration.ofMillis(600));
        first.cancel();
        assertThat(permits.reserve(1).waitTime()).isEqualTo(Duration.ofMillis(700));
    }

    @Test
    void turnsThatAreCancelledLastFirstLeaveNoDistanceToKeep() {
        LimitOptions spaced = LimitOptions.NONE.withMinInterval(SECOND);
        Permits permits = permits(Limit.of(100, SECOND).with(spaced));
        List<Reservation> turns = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            turns.add(0, permits.reserve(1));
        }
        assertThat(turns.get(0).waitTime()).isEqualTo(Duration.ofSeconds(9));
        turns.forEach(Reservation::cancel);
        assertThat(permits.tryAcquire(1)).isTrue();
    }

    @ParameterizedTest
    @EnumSource(
            value = Algorithm.class,
            names = {"TOKEN_BUCKET", "WARM_UP"})
    void whoReservesAndCancelsPushesNobodyAway(Algorithm algorithm) {
        Permits permits = permits(perSecond(4, algorithm));
        for (int i = 0; i < 1_000; i++) {
            permits.reserve(4).cancel();
        }
        assertThat(permits.tryAcquire(4)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void turnsThatAreCancelledGiveBackNothingThatCameBackByItself(boolean spaced) {
        LimitOptions options = spaced ? LimitOptions.NONE.withMinInterval(Duration.ofNanos(1)) : LimitOptions.NONE;
        Permits permits = permits(Limit.of(10, SECOND).with(options));
        Reservation first = permits.reserve(5);
        time.advanceNanos(1);
        Reservation second = permits.reserve(5);
        first.cancel();
        time.advance(Duration.ofMillis(500));
        assertThat(permits.tryAcquire(10)).isTrue();
        second.cancel();
        time.advanceNanos(1);
        assertThat(permits.tryAcquire(1)).isFalse();
    }

    @Test
    void aLateCancellationGivesNothingBackThatHasRefilled() {
        Permits permits = permits(Limit.of(10, SECOND));
        Reservation turn = permits.reserve(10);
        time.advance(SECOND);
        assertThat(permits.tryAcquire(10)).isTrue();
        assertThat(turn.cancel()).isTrue();
        assertThat(permits.tryAcquire()).isFalse();
    }

    @Test
    void aCancelledFutureGivesItsTurnBack() {
        Permits permits = emptied(Limit.of(10, SECOND));
        CompletableFuture<Boolean> turn = permits.acquireAsync(5, SECOND);
        assertThat(waiting.alarms()).isOne();
        assertThat(turn.cancel(true)).isTrue();
        assertThat(waiting.alarms()).isZero();
        assertThat(permits.reserve(1).waitTime()).isEqualTo(Duration.ofMillis(100));
    }

    @Test
    void aFutureThatWasAnsweredGivesNothingBackWhenItIsCancelled() {
        Permits permits = permits(Limit.of(1, SECOND));
        CompletableFuture<Boolean> turn = permits.acquireAsync(1, Duration.ZERO);
        assertThat(turn).isCompletedWithValue(true);
        turn.cancel(true);
        assertThat(permits.tryAcquire()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(
            value = Algorithm.class,
            names = {"FIXED_WINDOW", "SLIDING_WINDOW_LOG", "SLIDING_WINDOW_COUNTER"})
    void comesBackAfterTheAdvertisedWaitWhereTokensCannotBeOwed(Algorithm algorithm) throws InterruptedException {
        Permits permits = emptied(perSecond(3, algorithm));
        assertThat(permits.reserve(3, Duration.ofHours(1))).isEmpty();
        assertThatIllegalStateException()
                .isThrownBy(() -> permits.reserve(3))
                .withMessageContaining("promises no turn");
        assertThat(permits.acquire(1, Duration.ofMillis(100))).isFalse();
        assertThat(permits.acquireAsync(1, Duration.ofMillis(100))).isCompletedWithValue(false);
        assertThat(elapsed()).isZero();
        permits.acquire();
        assertThat(elapsed()).isBetween(Duration.ofMillis(500), Duration.ofMillis(1_500));
    }

    @Test
    void triesAgainUntilTheTimeIsUpWhereAnotherWasQuicker() {
        Permits permits = emptied(perSecond(1, Algorithm.FIXED_WINDOW));
        CompletableFuture<Boolean> patient = permits.acquireAsync(1, Duration.ofMillis(2_500));
        CompletableFuture<Boolean> hasty = permits.acquireAsync(1, Duration.ofMillis(1_500));
        waiting.advance(Duration.ofMillis(999));
        assertThat(permits.tryAcquire()).isFalse();
        time.advance(Duration.ofMillis(1));
        assertThat(permits.tryAcquire()).isTrue();
        waiting.advance(Duration.ZERO);
        assertThat(hasty).isCompletedWithValue(false);
        assertThat(patient).isNotDone();
        waiting.advance(SECOND);
        assertThat(patient).isCompletedWithValue(true);
        assertThat(waiting.alarms()).isZero();
    }

    @Test
    void namesWhatCanNeverBeAcquired() throws InterruptedException {
        Permits permits = permits(Limit.of(10, SECOND));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> permits.acquire(11))
                .withMessage("11 tokens can never be acquired at once: the limit holds at most 10");
        assertThatIllegalArgumentException().isThrownBy(() -> permits.reserve(11));
        assertThat(permits.tryAcquire(11)).isFalse();
        assertThat(permits.acquire(11, Duration.ofDays(400_000))).isFalse();
        assertThat(permits.reserve(11, SECOND)).isEmpty();
        assertThat(permits.acquireAsync(11, SECOND)).isCompletedWithValue(false);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> permits(Limit.BLOCKED).acquire());
        assertThat(permits.tryAcquire(10)).isTrue();
    }

    @Test
    void refusesNumbersThatAreNoTokens() {
        Permits permits = permits(Limit.of(10, SECOND));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> permits.tryAcquire(0))
                .withMessage("1 or more tokens can be acquired, not 0");
        assertThatIllegalArgumentException().isThrownBy(() -> permits.acquire(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> permits.acquireAsync(0, SECOND));
    }

    @Test
    void hasNoPermitsForWhatMustBeReleased() {
        Limit inFlight = new Limit(5, Duration.ZERO, 5, Algorithm.CONCURRENCY);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LocalPermits.of(inFlight))
                .withMessageContaining("concurrency has no permits");
    }

    @ParameterizedTest
    @EnumSource(value = Algorithm.class, mode = EnumSource.Mode.EXCLUDE, names = "CONCURRENCY")
    void isFullAfterAnyRest(Algorithm algorithm) {
        Permits permits = permits(perSecond(7, algorithm));
        for (int hours = 1; hours < 1_000_000; hours *= 3) {
            assertThat(permits.tryAcquire(7)).isTrue();
            assertThat(permits.tryAcquire(1)).isFalse();
            time.advance(Duration.ofHours(hours));
        }
    }

    /** The state of such a rate is a point on a circle of two and a half hours. */
    @Test
    void isFullAfterARestInWhichItsStateComesRound() {
        Permits permits = permits(Limit.of(1_000_003, SECOND));
        for (int rests = 0; rests < 30; rests++) {
            assertThat(permits.tryAcquire(1_000_003)).isTrue();
            time.advance(Duration.ofMinutes(140 + rests));
        }
    }

    @Test
    void aCompletedFutureComesFromTheClockOfTheMachine() {
        Permits permits = LocalPermits.of(Limit.of(100, SECOND));
        assertThat(permits.tryAcquire(100)).isTrue();
        assertThat(permits.acquireAsync(1, Duration.ofMinutes(1))).succeedsWithin(Duration.ofSeconds(30));
    }

    @Test
    void threadsShareTheRateOfTheMachine() throws Exception {
        Permits permits = LocalPermits.of(Limit.of(2_000, SECOND).withBurst(100));
        ExecutorService threads = Executors.newFixedThreadPool(8);
        long start = System.nanoTime();
        try {
            List<Future<?>> done = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                done.add(threads.submit(() -> {
                    for (int taken = 0; taken < 250; taken++) {
                        permits.acquire();
                    }
                    return null;
                }));
            }
            for (Future<?> thread : done) {
                thread.get(1, TimeUnit.MINUTES);
            }
        } finally {
            threads.shutdownNow();
        }
        Duration taken = Duration.ofNanos(System.nanoTime() - start);
        // Never faster than the rate; how much slower is a matter of what else the machine does.
        assertThat(taken).isBetween(Duration.ofMillis(950), Duration.ofSeconds(10));
    }
}
