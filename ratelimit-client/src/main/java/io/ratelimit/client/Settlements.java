package io.ratelimit.client;

import io.ratelimit.Settlement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Tells a daemon how requests went, in the background: many at a time, in order, as long as it is of use. What finds no place
 * in the queue is not told; its charges stand. Thread-safe.
 */
final class Settlements {

    static final int MOST_WAITING = 10_000;

    private static final int MOST_AT_A_TIME = 100;
    private static final Duration COLLECTING = Duration.ofMillis(5);
    private static final Duration PAUSE = Duration.ofMillis(500);

    /** A daemon settles by itself what it has not heard of for a minute. */
    private static final long OLDEST_NANOS = Duration.ofSeconds(30).toNanos();

    private final Function<String, CompletableFuture<?>> telling;
    private final BoundedLog refused =
            new BoundedLog("A daemon does not understand how a request went: what it has charged stands");
    private final Queue<ReceiptOutcome> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicBoolean isSending = new AtomicBoolean();

    /** What was sent in vain and goes before all that waits. Belongs to the one who sends. */
    private final Deque<List<ReceiptOutcome>> again = new ArrayDeque<>();

    private volatile boolean closed;

    /**
     * Begins with nothing to tell.
     *
     * @param telling tells a daemon a body of {@code POST /v1/settle}, and fails where it does not take it
     */
    Settlements(Function<String, CompletableFuture<?>> telling) {
        this.telling = telling;
    }

    Settlement of(String receipt) {
        return new ReceiptSettlement(receipt, this);
    }

    void add(ReceiptOutcome outcome) {
        if (closed) {
            return;
        }
        if (count.incrementAndGet() > MOST_WAITING) {
            count.decrementAndGet();
            return;
        }
        waiting.add(outcome);
        if (isSending.compareAndSet(false, true)) {
            sendLater(COLLECTING);
        }
    }

    private void sendLater(Duration pause) {
        CompletableFuture.delayedExecutor(pause.toNanos(), TimeUnit.NANOSECONDS).execute(this::send);
    }

    private void send() {
        if (closed) {
            return;
        }
        List<ReceiptOutcome> batch = next();
        if (batch.isEmpty()) {
            isSending.set(false);
            // Somebody may have come in between, and have seen that there was still one who sends.
            if (!waiting.isEmpty() && isSending.compareAndSet(false, true)) {
                sendLater(COLLECTING);
            }
            return;
        }
        telling.apply(ReceiptOutcome.json(batch)).whenComplete((told, failure) -> {
            if (failure == null) {
                over(batch);
            } else {
                failed(batch, Daemon.causeOf(failure));
            }
        });
    }

    private void over(List<ReceiptOutcome> batch) {
        count.addAndGet(-batch.size());
        sendLater(again.isEmpty() && waiting.size() < MOST_AT_A_TIME ? COLLECTING : Duration.ZERO);
    }

    private void failed(List<ReceiptOutcome> batch, Throwable failure) {
        boolean isRefused = failure instanceof RefusedCallException refusal && refusal.isForThisRequest();
        if (!isRefused) {
            again.addFirst(batch);
            sendLater(PAUSE);
        } else if (batch.size() == 1) {
            refused.warn(failure);
            over(batch);
        } else {
            // One that the daemon does not understand must not take the others with it.
            batch.forEach(outcome -> again.add(List.of(outcome)));
            sendLater(Duration.ZERO);
        }
    }

    /** What has failed and is of use still, or else the next ones. */
    private List<ReceiptOutcome> next() {
        while (!again.isEmpty()) {
            List<ReceiptOutcome> batch = youngOnes(again.remove());
            if (!batch.isEmpty()) {
                return batch;
            }
        }
        List<ReceiptOutcome> batch = new ArrayList<>(MOST_AT_A_TIME);
        while (batch.size() < MOST_AT_A_TIME) {
            ReceiptOutcome outcome = waiting.poll();
            if (outcome == null) {
                break;
            }
            batch.add(outcome);
        }
        return batch;
    }

    private List<ReceiptOutcome> youngOnes(List<ReceiptOutcome> batch) {
        long now = System.nanoTime();
        List<ReceiptOutcome> young = batch.stream()
                .filter(outcome -> now - outcome.knownNanos() < OLDEST_NANOS)
                .toList();
        count.addAndGet(young.size() - batch.size());
        return young;
    }

    /**
     * Waits for what is left to be told, and tells nothing more.
     *
     * @param endNanos until when to wait at most, by {@link System#nanoTime}
     */
    void close(long endNanos) {
        try {
            while (count.get() > 0 && System.nanoTime() - endNanos < 0) {
                TimeUnit.NANOSECONDS.sleep(COLLECTING.toNanos());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        closed = true;
    }
}
