package io.ratelimit.core.bucket;

import io.ratelimit.rules.OnFailure;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import io.ratelimit.store.ChargeOutcome;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import io.ratelimit.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Answers by each rule's {@code onFailure} where a store fails or does not answer in time, so that the stage it returns
 * never fails. A call whose outcome is unknown is not repeated. Thread-safe.
 */
public final class FailoverBucketStore implements BucketStore {

    /** Calls that a store may owe an answer to; beyond, a call is a failure at once, so that nothing piles up. */
    private static final int MOST_IN_FLIGHT = 10_000;

    private final BucketStore store;
    private final BucketStore local;
    private final ScheduledExecutorService timer;
    private final FailureLog failures;
    private final AtomicInteger inFlight = new AtomicInteger();

    /**
     * Guards a store. Both stores and the timer stay their owner's to close.
     *
     * @param store the store that may fail
     * @param local this host's buckets, which go on alone meanwhile
     * @param timer runs timeouts
     * @param failures hears of each failure and of each answer
     */
    public FailoverBucketStore(
            BucketStore store, BucketStore local, ScheduledExecutorService timer, FailureLog failures) {
        this.store = store;
        this.local = local;
        this.timer = timer;
        this.failures = failures;
    }

    @Override
    public CompletionStage<SpendOutcome> spend(List<Charge> charges, Duration timeout) {
        return ask(charges, timeout)
                .handle((spent, failure) -> {
                    if (failure == null) {
                        failures.answered();
                        return CompletableFuture.completedFuture(route(spent));
                    }
                    failures.failed(unwrap(failure));
                    return answerOnFailure(charges, timeout);
                })
                .thenCompose(answer -> answer);
    }

    @Override
    public CompletionStage<Void> refund(Receipt receipt, long tokens) {
        try {
            return ((RoutedReceipt) receipt).refund(tokens);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public void warmUp() throws InterruptedException {
        store.warmUp();
    }

    @Override
    public void close() {}

    private CompletableFuture<SpendOutcome> ask(List<Charge> charges, Duration timeout) {
        if (inFlight.incrementAndGet() > MOST_IN_FLIGHT) {
            inFlight.decrementAndGet();
            return CompletableFuture.failedFuture(
                    new StoreException("store-timeout", MOST_IN_FLIGHT + " calls to the store have no answer yet"));
        }
        CompletableFuture<SpendOutcome> call = start(store, charges, timeout)
                .whenComplete((spent, failure) -> inFlight.decrementAndGet())
                .toCompletableFuture();
        return call.isDone() ? call : limitTo(timeout, call);
    }

    /** The call's answer, or a failure once the time is up; the call itself goes on and counts as in flight. */
    private CompletableFuture<SpendOutcome> limitTo(Duration timeout, CompletableFuture<SpendOutcome> call) {
        CompletableFuture<SpendOutcome> answer = call.copy();
        try {
            ScheduledFuture<?> alarm =
                    timer.schedule(() -> giveUp(answer, timeout), timeout.toNanos(), TimeUnit.NANOSECONDS);
            answer.whenComplete((spent, failure) -> alarm.cancel(false));
        } catch (RejectedExecutionException e) {
            answer.completeExceptionally(new StoreException("store-error", "the limiter is closed"));
        }
        return answer;
    }

    /** A store that throws instead of failing its stage is no better than one that fails. */
    private static CompletionStage<SpendOutcome> start(BucketStore store, List<Charge> charges, Duration timeout) {
        try {
            return store.spend(charges, timeout);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static void giveUp(CompletableFuture<SpendOutcome> answer, Duration timeout) {
        answer.completeExceptionally(
                new StoreException("store-timeout", "the store did not answer within " + timeout.toMillis() + " ms"));
    }

    private CompletableFuture<SpendOutcome> answerOnFailure(List<Charge> charges, Duration timeout) {
        boolean refused = charges.stream().anyMatch(charge -> onFailure(charge) == OnFailure.CLOSED);
        List<Charge> goOn = charges.stream()
                .filter(charge -> onFailure(charge) == OnFailure.LOCAL)
                .toList();
        if (refused || goOn.isEmpty()) {
            return CompletableFuture.completedFuture(unasked(charges, !refused));
        }
        return start(local, goOn, timeout)
                .handle((spent, failure) -> {
                    if (failure != null) {
                        failures.failed(unwrap(failure));
                        return unasked(charges, true);
                    }
                    return complete(charges, spent);
                })
                .toCompletableFuture();
    }

    /** What the local buckets said, with the charges that were not asked, in the order given. */
    private SpendOutcome complete(List<Charge> charges, SpendOutcome spent) {
        List<ChargeOutcome> outcomes = charges.stream()
                .map(charge -> spent.charges().stream()
                        .filter(outcome -> outcome.charge().equals(charge))
                        .findFirst()
                        .map(outcome -> RoutedReceipt.route(local, outcome))
                        .orElseGet(() -> new ChargeOutcome(charge, List.of(), null)))
                .toList();
        return new SpendOutcome(spent.allowed(), true, outcomes);
    }

    private SpendOutcome route(SpendOutcome spent) {
        List<ChargeOutcome> routed = spent.charges().stream()
                .map(outcome -> RoutedReceipt.route(store, outcome))
                .toList();
        return new SpendOutcome(spent.allowed(), spent.degraded(), routed);
    }

    private static SpendOutcome unasked(List<Charge> charges, boolean allowed) {
        List<ChargeOutcome> outcomes = charges.stream()
                .map(charge -> new ChargeOutcome(charge, List.of(), null))
                .toList();
        return new SpendOutcome(allowed, true, outcomes);
    }

    private static OnFailure onFailure(Charge charge) {
        OnFailure onFailure = charge.bucket().policy().onFailure();
        return onFailure == null ? OnFailure.LOCAL : onFailure;
    }

    private static Throwable unwrap(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
