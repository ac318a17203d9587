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
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Answers by each rule's {@code onFailure} where a store fails or does not answer in time, so that the stage it returns
 * never fails. A call whose outcome is unknown is not repeated; if the request was refused meanwhile and the call turns
 * out to have been charged, it is given back. Once closed, {@code onFailure} answers and the store is not asked any
 * more. Thread-safe.
 */
public final class FailoverBucketStore implements BucketStore {

    /** Calls that a store may owe an answer to; beyond, a call is a failure at once, so that nothing piles up. */
    private static final int MOST_IN_FLIGHT = 10_000;

    private final BucketStore store;
    private final LocalBucketStore local;
    private final ScheduledExecutorService timer;
    private final FailureLog failures;
    private final AtomicInteger inFlight = new AtomicInteger();
    private volatile boolean closed;

    /** One for each timeout that rules set, which are few. */
    private final ConcurrentMap<Duration, Deadlines> deadlines = new ConcurrentHashMap<>();

    /**
     * Guards a store. This host's buckets and the timer stay their owner's to close.
     *
     * @param store the store that may fail; closed with this one
     * @param local this host's buckets, which go on alone meanwhile, from what the store said last
     * @param timer runs timeouts
     * @param failures hears of each failure and of each answer
     */
    public FailoverBucketStore(
            BucketStore store, LocalBucketStore local, ScheduledExecutorService timer, FailureLog failures) {
        this.store = store;
        this.local = local;
        this.timer = timer;
        this.failures = failures;
    }

    @Override
    public CompletionStage<SpendOutcome> spend(List<Charge> charges, Duration timeout) {
        if (closed) {
            return answerOnFailure(charges, timeout);
        }
        CompletableFuture<SpendOutcome> call = ask(charges, timeout);
        CompletableFuture<SpendOutcome> answer = call.isDone() ? call : limitTo(timeout, call);
        // Stages behind one that has failed would each make an exception, whose stack trace costs more than a decision.
        return answer.handle((spent, failure) -> {
                    if (failure != null) {
                        return answerInstead(call, failure, charges, timeout);
                    }
                    failures.answered();
                    return CompletableFuture.completedFuture(RoutedReceipt.route(store, spent));
                })
                .thenCompose(Function.identity());
    }

    private CompletableFuture<SpendOutcome> answerInstead(
            CompletableFuture<SpendOutcome> call, Throwable failure, List<Charge> charges, Duration timeout) {
        if (!closed) {
            failures.failed(failure);
        }
        return answerOnFailure(charges, timeout).whenComplete((instead, never) -> {
            if (instead != null && !instead.allowed() && !call.isCompletedExceptionally()) {
                call.thenAccept(this::giveBack);
            }
        });
    }

    @Override
    public CompletionStage<Void> refund(Receipt receipt, long tokens) {
        return giveBack(receipt, routed -> routed.refund(tokens));
    }

    @Override
    public CompletionStage<Void> release(Receipt receipt) {
        return giveBack(receipt, RoutedReceipt::release);
    }

    @Override
    public CompletionStage<Void> undo(Receipt receipt, long tokens) {
        return giveBack(receipt, routed -> routed.undo(tokens));
    }

    private static CompletionStage<Void> giveBack(
            Receipt receipt, Function<RoutedReceipt, CompletionStage<Void>> call) {
        try {
            return call.apply((RoutedReceipt) receipt);
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public int hosts() {
        return store.hosts();
    }

    @Override
    public void warmUp() throws InterruptedException {
        store.warmUp();
    }

    /** Ends all waits, then closes the store. */
    @Override
    public void close() {
        closed = true;
        deadlines.values().forEach(Deadlines::failAll);
        store.close();
    }

    private CompletableFuture<SpendOutcome> ask(List<Charge> charges, Duration timeout) {
        if (inFlight.incrementAndGet() > MOST_IN_FLIGHT) {
            inFlight.decrementAndGet();
            return CompletableFuture.failedFuture(
                    new StoreException("store-timeout", MOST_IN_FLIGHT + " calls to the store have no answer yet"));
        }
        CompletableFuture<SpendOutcome> call =
                new AskedStore(store).spend(charges, timeout).toCompletableFuture();
        if (call.isCompletedExceptionally()) {
            inFlight.decrementAndGet();
            return call;
        }
        return call.whenComplete((spent, failure) -> {
            inFlight.decrementAndGet();
            // An answer that comes too late for its request still tells how things stand.
            if (spent != null) {
                local.remember(spent);
            }
        });
    }

    /** The call's answer, or a failure once the time is up; the call itself goes on and counts as in flight. */
    private CompletableFuture<SpendOutcome> limitTo(Duration timeout, CompletableFuture<SpendOutcome> call) {
        CompletableFuture<SpendOutcome> answer = call.copy();
        Deadlines waits = deadlines.computeIfAbsent(timeout, length -> new Deadlines(length, timer));
        waits.limit(answer);
        if (closed) {
            // Whoever closes may have looked before this wait began.
            waits.failAll();
        }
        return answer;
    }

    /** The answer came too late: its request was refused. */
    private void giveBack(SpendOutcome late) {
        for (ChargeOutcome outcome : late.charges()) {
            Receipt receipt = outcome.receipt();
            if (receipt != null) {
                undo(new RoutedReceipt(store, receipt), outcome.charge().cost());
            }
        }
    }

    private CompletableFuture<SpendOutcome> answerOnFailure(List<Charge> charges, Duration timeout) {
        boolean refused = UnaskedCharges.anyRefuses(charges);
        List<Charge> goOn = charges.stream()
                .filter(charge -> UnaskedCharges.is(OnFailure.LOCAL, charge))
                .toList();
        if (refused || goOn.isEmpty()) {
            return CompletableFuture.completedFuture(UnaskedCharges.all(charges, !refused));
        }
        return new AskedStore(local)
                .spend(goOn, timeout)
                .handle((spent, failure) -> {
                    if (failure != null) {
                        failures.failed(failure);
                        return UnaskedCharges.all(charges, true);
                    }
                    return UnaskedCharges.beside(RoutedReceipt.route(local, spent), charges);
                })
                .toCompletableFuture();
    }
}
