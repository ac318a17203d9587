package io.ratelimit.core.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.LimitState;
import io.ratelimit.RateLimitListener;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.OnFailure;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import io.ratelimit.store.ChargeOutcome;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import io.ratelimit.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FailoverBucketStoreTest {

    private static final Duration TIMEOUT = Duration.ofMillis(20);

    private final ManualTimeSource clock = new ManualTimeSource();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final List<String> kinds = new ArrayList<>();
    private final BucketStore shared = mock(BucketStore.class);
    private final LocalBucketStore local = new LocalBucketStore(clock, 100);
    private final FailureLog failures = new FailureLog("The store", clock, new RateLimitListener() {
        @Override
        public void onFailure(String kind, Throwable cause) {
            kinds.add(kind);
        }
    });
    private final BucketStore store = new FailoverBucketStore(shared, local, timer, failures);

    @AfterEach
    void stopTimer() {
        timer.shutdownNow();
    }

    @Test
    void aStoreThatNeverAnswersIsGivenUpAndThisHostGoesOnAlone() {
        when(shared.spend(any(), any())).thenReturn(new CompletableFuture<>());
        assertThat(spend(charge(OnFailure.LOCAL)).allowed()).isTrue();
        SpendOutcome second = spend(charge(OnFailure.LOCAL));
        assertThat(second.allowed()).isFalse();
        assertThat(second.degraded()).isTrue();
        assertThat(kinds).containsExactly("store-timeout", "store-timeout");
    }

    @Test
    void everyWaitEndsHoweverManyBeginTogether() {
        when(shared.spend(any(), any())).thenReturn(new CompletableFuture<>());
        List<CompletableFuture<SpendOutcome>> calls = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            calls.add(store.spend(List.of(charge(OnFailure.OPEN)), Duration.ofMillis(1 + i % 3))
                    .toCompletableFuture());
        }
        calls.forEach(call -> assertThat(call.join().allowed()).isTrue());
    }

    @Test
    void aStoreThatThrowsIsNoBetterThanOneThatFails() {
        when(shared.spend(any(), any())).thenThrow(new IllegalStateException("not active"));
        assertThat(spend(charge(OnFailure.OPEN)).allowed()).isTrue();
        assertThat(spend(charge(OnFailure.CLOSED)).allowed()).isFalse();
        assertThat(kinds).containsExactly("store-error", "store-error");
    }

    @Test
    void oneClosedRuleRefusesTheRequestAndOthersAreNotCharged() {
        when(shared.spend(any(), any()))
                .thenReturn(CompletableFuture.failedFuture(new StoreException("store-error", "gone")));
        Charge goesOn = charge(OnFailure.LOCAL);
        assertThat(spend(goesOn, charge(OnFailure.CLOSED)).allowed()).isFalse();
        assertThat(spend(goesOn).allowed()).isTrue();
    }

    @Test
    void thisHostGoesOnFromWhatTheStoreSaidLast() {
        LocalBucketStore other = new LocalBucketStore(clock, 100);
        Charge charge = charge(OnFailure.LOCAL, 5);
        when(shared.spend(any(), any())).thenAnswer(call -> other.spend(List.of(charge), TIMEOUT));
        spend(charge);
        spend(charge);
        spend(charge);
        when(shared.spend(any(), any())).thenReturn(new CompletableFuture<>());
        assertThat(spend(charge).allowed()).isTrue();
        assertThat(spend(charge).allowed()).isTrue();
        assertThat(spend(charge).allowed()).isFalse();
        clock.advance(Duration.ofSeconds(12));
        assertThat(spend(charge).allowed()).isTrue();
        assertThat(spend(charge).allowed()).isFalse();
    }

    @Test
    void anAnswerThatComesTooLateStillTellsHowThingsStand() {
        CompletableFuture<SpendOutcome> late = new CompletableFuture<>();
        Charge charge = charge(OnFailure.LOCAL, 5);
        when(shared.spend(any(), any())).thenReturn(late);
        assertThat(spend(charge).degraded()).isTrue();
        late.complete(new SpendOutcome(
                false,
                false,
                List.of(new ChargeOutcome(
                        charge, List.of(new LimitState(0, 12_000_000_000L, 12_000_000_000L)), null))));
        when(shared.spend(any(), any())).thenReturn(new CompletableFuture<>());
        assertThat(spend(charge).allowed()).isFalse();
    }

    @Test
    void anAnswerUnderRulesThatWereReplacedTellsNothingOfTheBucketsOfToday() {
        CompletableFuture<SpendOutcome> late = new CompletableFuture<>();
        Charge before = charge(OnFailure.LOCAL, 5);
        when(shared.spend(any(), any())).thenReturn(late);
        spend(before);
        BucketSpec today = new BucketSpec(
                before.bucket().service(),
                before.bucket().name(),
                before.bucket().version() + 1,
                List.of(new Limit(5, Duration.ZERO, 5, Algorithm.CONCURRENCY)),
                before.bucket().policy());
        Charge now = new Charge(before.client(), today, 1);
        local.spend(List.of(now), TIMEOUT);
        late.complete(new SpendOutcome(
                true, false, List.of(new ChargeOutcome(before, List.of(new LimitState(1, 0, 12_000_000_000L)), null))));
        SpendOutcome counted =
                local.spend(List.of(now), TIMEOUT).toCompletableFuture().join();
        assertThat(counted.charges().get(0).limits().get(0).remaining()).isEqualTo(3);
    }

    @Test
    void closingEndsEveryWaitAndAsksTheStoreNoMore() {
        when(shared.spend(any(), any())).thenReturn(new CompletableFuture<>());
        Duration longTime = Duration.ofMinutes(10);
        CompletableFuture<SpendOutcome> waiting =
                store.spend(List.of(charge(OnFailure.LOCAL)), longTime).toCompletableFuture();
        store.close();
        assertThat(waiting).isCompletedWithValueMatching(outcome -> outcome.allowed() && outcome.degraded());
        verify(shared).close();
        assertThat(store.spend(List.of(charge(OnFailure.LOCAL)), longTime))
                .isCompletedWithValueMatching(outcome -> !outcome.allowed());
        verify(shared, times(1)).spend(any(), any());
        assertThat(kinds).isEmpty();
    }

    @Test
    void aWaitThatBeginsWhileTheStoreIsClosedEndsToo() {
        when(shared.spend(any(), any())).thenAnswer(call -> {
            store.close();
            return new CompletableFuture<>();
        });
        assertThat(store.spend(List.of(charge(OnFailure.OPEN)), Duration.ofMinutes(10)))
                .isCompletedWithValueMatching(SpendOutcome::allowed);
    }

    @Test
    void aLateChargeOfARequestThatWasRefusedIsGivenBack() {
        CompletableFuture<SpendOutcome> late = new CompletableFuture<>();
        Charge charge = charge(OnFailure.CLOSED);
        Receipt receipt = mock(Receipt.class);
        when(shared.spend(any(), any())).thenReturn(late);
        when(shared.undo(any(), anyLong())).thenReturn(CompletableFuture.completedFuture(null));
        assertThat(spend(charge).allowed()).isFalse();
        late.complete(new SpendOutcome(
                true, false, List.of(new ChargeOutcome(charge, List.of(new LimitState(0, 0, 1)), receipt))));
        verify(shared).undo(receipt, 1);
    }

    @Test
    void aLateChargeOfARequestThatPassedStands() {
        CompletableFuture<SpendOutcome> late = new CompletableFuture<>();
        Charge charge = charge(OnFailure.OPEN);
        when(shared.spend(any(), any())).thenReturn(late);
        assertThat(spend(charge).allowed()).isTrue();
        late.complete(new SpendOutcome(
                true,
                false,
                List.of(new ChargeOutcome(charge, List.of(new LimitState(0, 0, 1)), mock(Receipt.class)))));
        verify(shared, never()).undo(any(), anyLong());
    }

    @Test
    void afterTheTimerHasEndedCallsFailAtOnce() {
        timer.shutdownNow();
        when(shared.spend(any(), any())).thenReturn(new CompletableFuture<>());
        assertThat(spend(charge(OnFailure.OPEN)).degraded()).isTrue();
    }

    @Test
    void aRefundThatThrowsFailsItsStage() {
        when(shared.refund(any(), anyLong())).thenThrow(new IllegalStateException("not active"));
        assertThat(store.refund(new RoutedReceipt(shared, new Receipt() {}), 1)).isCompletedExceptionally();
    }

    @Test
    void troubleIsOverAfterTheStoreHasAnsweredForAWhile() {
        when(shared.spend(any(), any()))
                .thenReturn(CompletableFuture.failedFuture(new StoreException("store-error", "gone")));
        spend(charge(OnFailure.OPEN));
        when(shared.spend(any(), any()))
                .thenReturn(CompletableFuture.completedFuture(new SpendOutcome(true, false, List.of())));
        spend(charge(OnFailure.OPEN));
        assertThat(failures.trouble())
                .hasValueSatisfying(words -> assertThat(words).startsWith("The store fails since "));
        clock.advance(Duration.ofSeconds(6));
        assertThat(spend(charge(OnFailure.OPEN)).degraded()).isFalse();
        assertThat(failures.trouble()).isEmpty();
    }

    private SpendOutcome spend(Charge... charges) {
        return store.spend(Arrays.asList(charges), TIMEOUT)
                .toCompletableFuture()
                .join();
    }

    private static Charge charge(OnFailure onFailure) {
        return charge(onFailure, 1);
    }

    private static Charge charge(OnFailure onFailure, long perMinute) {
        StorePolicy policy = new StorePolicy(null, onFailure, null);
        List<Limit> limits = List.of(Limit.of(perMinute, Duration.ofMinutes(1)));
        return new Charge(
                ClientIdentifier.of("user", "alice"), new BucketSpec("orders", "r-" + onFailure, 1, limits, policy), 1);
    }
}
