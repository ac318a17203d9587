package io.ratelimit.core.reconcile;

import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.bucket.LocalBucketStore;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import io.ratelimit.store.StoreException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Shared buckets that calls take a while to reach, and answers to come back from, on a clock that moves with them. */
final class DistantStore implements BucketStore {

    private record Event(long nanos, long number, Runnable what) {}

    private final ManualTimeSource clock;
    private final Random random;
    private final LocalBucketStore buckets;
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::nanos).thenComparingLong(Event::number));
    private final Queue<Runnable> frozen = new ArrayDeque<>();
    private long eventNumber;
    private long mostWayNanos;
    private boolean away;
    private boolean standsStill;
    private int hosts;
    private int calls;

    DistantStore(ManualTimeSource clock, Random random) {
        this.clock = clock;
        this.random = random;
        this.buckets = new LocalBucketStore(clock, 1_000_000);
    }

    void isSharedBy(int number) {
        hosts = number;
    }

    /** How long a call is under way at most, each way. */
    void isFar(Duration way) {
        mostWayNanos = way.toNanos();
    }

    void isAway(boolean value) {
        away = value;
    }

    /** Nothing is answered; what was asked meanwhile is done when it moves on. */
    void standsStill(boolean value) {
        standsStill = value;
        while (!value && !frozen.isEmpty()) {
            frozen.remove().run();
        }
    }

    /** How often it was asked. */
    int calls() {
        return calls;
    }

    /** Moves the clock on, and all that happens meanwhile happens at its time. */
    void advance(Duration time) {
        advanceTo(clock.nanoTime() + time.toNanos());
    }

    void advanceTo(long nanos) {
        while (!events.isEmpty() && events.element().nanos() - nanos <= 0) {
            Event next = events.remove();
            clock.advanceNanos(Math.max(0, next.nanos() - clock.nanoTime()));
            next.what().run();
        }
        clock.advanceNanos(Math.max(0, nanos - clock.nanoTime()));
    }

    void at(long nanos, Runnable what) {
        events.add(new Event(nanos, eventNumber++, what));
    }

    private void onTheWay(Runnable what) {
        if (mostWayNanos == 0) {
            what.run();
        } else {
            at(clock.nanoTime() + (long) (random.nextDouble() * mostWayNanos), what);
        }
    }

    private <T> CompletionStage<T> ask(Supplier<CompletionStage<T>> call) {
        calls++;
        if (away) {
            return CompletableFuture.failedFuture(new StoreException("store-error", "nobody there"));
        }
        CompletableFuture<T> answer = new CompletableFuture<>();
        Runnable arrival = () -> {
            T said = call.get().toCompletableFuture().join();
            onTheWay(() -> answer.complete(said));
        };
        if (standsStill) {
            frozen.add(arrival);
        } else {
            onTheWay(arrival);
        }
        return answer;
    }

    @Override
    public CompletionStage<SpendOutcome> spend(List<Charge> charges, Duration timeout) {
        return ask(() -> buckets.spend(charges, timeout));
    }

    @Override
    public CompletionStage<Void> refund(Receipt receipt, long tokens) {
        return ask(() -> buckets.refund(receipt, tokens));
    }

    @Override
    public int hosts() {
        return hosts;
    }

    @Override
    public void close() {}
}
