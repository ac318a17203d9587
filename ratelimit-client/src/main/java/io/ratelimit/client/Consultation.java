package io.ratelimit.client;

import java.net.ConnectException;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One request's way to a decision: one daemon after the other, as long as it is sure that none before it has charged, and as
 * long as there is time. Thread-safe.
 */
final class Consultation {

    private final Supplier<String> question;
    private final Iterator<Daemon> daemons;
    private final Semaphore places;
    private final Consumer<Throwable> failures;
    private final CompletableFuture<@Nullable DaemonDecision> answer = new CompletableFuture<>();
    private volatile @Nullable Daemon asked;

    /**
     * Asks nobody yet.
     *
     * @param question makes a {@link Question}, where there is somebody to ask
     * @param daemons the first to ask first
     * @param places one for each call that may be under way
     * @param failures hears why a daemon did not decide
     */
    Consultation(Supplier<String> question, Iterator<Daemon> daemons, Semaphore places, Consumer<Throwable> failures) {
        this.question = question;
        this.daemons = daemons;
        this.places = places;
        this.failures = failures;
    }

    /**
     * Asks the first daemon.
     *
     * @return the decision, or null where no daemon decides
     */
    CompletableFuture<@Nullable DaemonDecision> begin() {
        goOn();
        return answer;
    }

    private void goOn() {
        while (!answer.isDone() && daemons.hasNext()) {
            Daemon next = daemons.next();
            if (!next.isAway()) {
                ask(next);
                return;
            }
        }
        answer.complete(null);
    }

    private void ask(Daemon daemon) {
        String asking = question.get();
        if (!places.tryAcquire()) {
            failures.accept(new TimeoutException("more calls to daemons have no answer than there may be"));
            answer.complete(null);
            return;
        }
        asked = daemon;
        daemon.decide(asking).whenComplete((decision, failure) -> {
            places.release();
            if (failure != null) {
                failed(daemon, Daemon.causeOf(failure));
            } else if (answer.complete(decision)) {
                daemon.decided();
            } else {
                late(daemon, decision);
            }
        });
    }

    private static void late(Daemon daemon, DaemonDecision decision) {
        daemon.decidedLate();
        if (decision.mustBeSettled()) {
            // The request has passed without it, and nobody will say how it went.
            decision.settlement().refund();
        }
    }

    private void failed(Daemon daemon, Throwable failure) {
        boolean isForThisRequest = failure instanceof RefusedCallException refused && refused.isForThisRequest();
        if (answer.isDone() && !isForThisRequest) {
            return;
        }
        failures.accept(failure);
        if (isForThisRequest) {
            answer.complete(null);
            return;
        }
        daemon.failed(failure);
        boolean isUncharged = failure instanceof ConnectException
                || (failure instanceof RefusedCallException refused && refused.isBeforeDeciding());
        if (isUncharged) {
            goOn();
        } else {
            // It may have charged: to ask another one could charge twice.
            answer.complete(null);
        }
    }

    /**
     * Holds the thread until there is a decision or the time is up. An interrupt does not end it, for that is soon; the
     * thread stays interrupted.
     *
     * @param deadlineNanos when the time is up, by {@link System#nanoTime}
     * @return the decision, or null where no daemon decides
     */
    @Nullable
    DaemonDecision await(long deadlineNanos) {
        boolean wasInterrupted = false;
        try {
            while (true) {
                try {
                    return answer.get(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    wasInterrupted = true;
                } catch (TimeoutException | ExecutionException e) {
                    expire();
                }
            }
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The time is up. */
    void expire() {
        if (answer.complete(null)) {
            TimeoutException late = new TimeoutException("no decision in time");
            failures.accept(late);
            Daemon silent = asked;
            if (silent != null) {
                silent.failed(late);
            }
        }
    }
}
