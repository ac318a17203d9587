package io.ratelimit.core.entry;

import io.ratelimit.TimeSource;
import io.ratelimit.core.bucket.OwnerBreaker;
import io.ratelimit.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Sends steps to the owners of clients' buckets: for each client one call at a time, and what comes meanwhile goes
 * together with the next. So a client that all threads of a host ask for costs a hop for many requests, and the owner is
 * not overrun; other clients do not wait. An owner that owes an answer for too long is not asked, but whether it is back.
 * Thread-safe.
 */
final class ClientCalls {

    private final Owners owners;
    private final TimeSource timeSource;
    private final Executor sender;
    private final CallIds ids = new CallIds();
    private final ConcurrentMap<EntryKey, StepQueue> queues = new ConcurrentHashMap<>();

    /**
     * Starts without calls under way.
     *
     * @param owners take the calls, and know which of them answer
     * @param timeSource tells how long they have not
     * @param sender runs what sends after an answer; at once where the threads that answers come on may send
     */
    ClientCalls(Owners owners, TimeSource timeSource, Executor sender) {
        this.owners = owners;
        this.timeSource = timeSource;
        this.sender = sender;
    }

    /** Finds out who has a client's buckets. */
    LocatedClient locate(EntryKey key) {
        return new LocatedClient(key, owners.breakerOf(key));
    }

    /**
     * Checks that a client's owner is worth asking, and if not, has somebody look whether it is back.
     *
     * @throws StoreException if it has owed an answer for longer than one is of use
     */
    void check(LocatedClient client, Duration patience) {
        EntryKey key = client.key();
        OwnerBreaker breaker = client.owner();
        long now = timeSource.nanoTime();
        if (breaker.isOpen(now, patience)) {
            if (breaker.mayProbe(now, patience)) {
                owners.call(key, EntryCall.NOTHING).whenComplete((answer, failure) -> breaker.answered());
            }
            throw new StoreException(
                    "store-timeout",
                    owners.nameOf(key) + " has not answered for "
                            + Duration.ofNanos(breaker.silentNanos(now)).toMillis() + " ms and is not asked");
        }
    }

    /**
     * Takes a step.
     *
     * @param client the client
     * @param step the step
     * @param patience how long an answer is of use: a step that has waited longer for the call before it is not taken
     * @return what became of it; a failure may mean that it was taken all the same
     */
    CompletableFuture<TakenStep> submit(LocatedClient client, Step step, Duration patience) {
        EntryKey key = client.key();
        long now = timeSource.nanoTime();
        QueuedStep queued = new QueuedStep(step, now, patience);
        while (true) {
            StepQueue queue = queues.computeIfAbsent(key, made -> new StepQueue());
            StepQueue.Place place = queue.enter(queued, now);
            if (place == StepQueue.Place.FIRST) {
                send(client, queue, List.of(queued));
            }
            if (place != StepQueue.Place.CLOSED) {
                return queued.answer();
            }
        }
    }

    private void send(LocatedClient client, StepQueue queue, List<QueuedStep> steps) {
        EntryKey key = client.key();
        OwnerBreaker breaker = client.owner();
        breaker.asked(timeSource.nanoTime());
        CompletableFuture<EntryAnswer> call = owners.call(
                key,
                new EntryCall(ids.next(), steps.stream().map(QueuedStep::step).toList()));
        boolean isRejected = call.isCompletedExceptionally();
        call.whenComplete((answer, failure) -> {
            breaker.answered();
            if (isRejected) {
                // Without a connection, one thread would fail the calls of all others and never come back.
                queues.remove(key, queue);
                queue.close().forEach(behind -> behind.complete(null, 0, failure));
            } else {
                next(key, queue);
            }
            for (int i = 0; i < steps.size(); i++) {
                steps.get(i).complete(answer, i, failure);
            }
        });
    }

    /** Sends what has come while the last call was under way, or forgets the client. */
    private void next(EntryKey key, StepQueue queue) {
        if (queue.goesOn()) {
            try {
                sender.execute(() -> sendWaiting(key, queue));
            } catch (RejectedExecutionException closed) {
                queue.leave(timeSource.nanoTime()).forEach(QueuedStep::giveUp);
                next(key, queue);
            }
        } else if (queue.isClosed()) {
            queues.remove(key, queue);
        }
    }

    private void sendWaiting(EntryKey key, StepQueue queue) {
        List<QueuedStep> useful = new ArrayList<>();
        long now = timeSource.nanoTime();
        for (QueuedStep step : queue.leave(now)) {
            if (step.isOfUse(now)) {
                useful.add(step);
            } else {
                step.giveUp();
            }
        }
        if (useful.isEmpty()) {
            next(key, queue);
        } else {
            send(locate(key), queue, useful);
        }
    }
}
