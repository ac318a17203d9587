package io.ratelimit.core.reconcile;

import io.ratelimit.store.StoreException;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Calls to the shared store that have no answer yet. Thread-safe; calls are given up by one thread. */
final class CallsUnderWay {

    /** More would only wait for one another. */
    private static final int MOST = 2_000;

    private final long patienceNanos;
    private final AtomicInteger number = new AtomicInteger();
    private final Queue<Call> calls = new ConcurrentLinkedQueue<>();

    /**
     * A call.
     *
     * @param answer completes early where it is given up
     * @param end completes when whoever made it has heard
     * @param nanos when it was made
     */
    private record Call(CompletableFuture<?> answer, CompletableFuture<?> end, long nanos) {}

    /**
     * Begins without calls.
     *
     * @param patienceNanos after how long a call is given up, in nanoseconds
     */
    CallsUnderWay(long patienceNanos) {
        this.patienceNanos = patienceNanos;
    }

    /** How many calls may be made now. */
    int room() {
        return Math.max(0, MOST - number.get());
    }

    /**
     * Takes note of a call.
     *
     * @param call the call
     * @param nanos the time
     * @param heard hears its answer or its failure, which may be that it is given up
     */
    <T> void add(CompletionStage<T> call, long nanos, BiConsumer<@Nullable T, @Nullable Throwable> heard) {
        number.incrementAndGet();
        CompletableFuture<T> answer = call.toCompletableFuture().copy();
        CompletableFuture<T> end = answer.whenComplete((given, failure) -> {
            number.decrementAndGet();
            heard.accept(given, failure);
        });
        if (!end.isDone()) {
            calls.add(new Call(answer, end, nanos));
        }
    }

    /** Gives calls up that have had no answer for too long. */
    void giveUp(long nanos) {
        for (Call oldest = calls.peek(); oldest != null; oldest = calls.peek()) {
            boolean late = nanos - oldest.nanos() >= patienceNanos;
            if (!late && !oldest.answer().isDone()) {
                return;
            }
            oldest.answer()
                    .completeExceptionally(new StoreException(
                            "store-timeout",
                            "no answer within " + TimeUnit.NANOSECONDS.toMillis(patienceNanos) + " ms"));
            calls.remove();
        }
    }

    /** Waits for the answers, at most until a time of {@link System#nanoTime()}. */
    void await(long endNanos) {
        CompletableFuture<?>[] answers = calls.stream().map(Call::end).toArray(CompletableFuture<?>[]::new);
        try {
            CompletableFuture.allOf(answers).get(Math.max(0, endNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException unanswered) {
            // Whoever made the calls hears of it.
        }
    }
}
