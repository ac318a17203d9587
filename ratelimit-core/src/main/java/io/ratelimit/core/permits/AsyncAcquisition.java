package io.ratelimit.core.permits;

import io.ratelimit.LimitState;
import java.util.concurrent.CompletableFuture;

/** One caller that waits for its turn without a thread. */
final class AsyncAcquisition {

    private final PermitBucket bucket;
    private final Alarm alarm;
    private final Countdown countdown;
    private final long tokens;
    private final CompletableFuture<Boolean> answer = new CompletableFuture<>();

    AsyncAcquisition(PermitBucket bucket, Alarm alarm, Countdown countdown, long tokens) {
        this.bucket = bucket;
        this.alarm = alarm;
        this.countdown = countdown;
        this.tokens = tokens;
    }

    /** The first attempt; what fails in it is thrown, since the caller is still there. */
    CompletableFuture<Boolean> start() {
        attempt();
        return answer;
    }

    /** Ends the wait, since nobody will call any more. */
    void abandon() {
        answer.complete(false);
    }

    private void again() {
        if (answer.isDone()) {
            return;
        }
        try {
            attempt();
        } catch (RuntimeException | LinkageError goneMeanwhile) {
            answer.completeExceptionally(goneMeanwhile);
        }
    }

    private void attempt() {
        CompletableFuture<Attempt> attempt =
                bucket.take(tokens, countdown.leftNanos()).toCompletableFuture();
        if (attempt.isDone()) {
            proceed(attempt.join());
        } else {
            // What depends on the answer may take its time, and a store's own threads must not wait for it.
            attempt.thenAcceptAsync(this::proceed);
        }
    }

    private void proceed(Attempt attempt) {
        if (attempt instanceof Attempt.Granted granted) {
            // However the future ends, by cancelling or by somebody's timeout: without the turn, the tokens go back.
            answer.whenComplete((taken, failure) -> {
                if (failure != null || !taken) {
                    granted.giveBack().run();
                }
            });
            after(granted.waitNanos(), () -> answer.complete(true));
        } else if (attempt instanceof Attempt.Refused refused) {
            long wait = refused.waitNanos();
            if (wait == LimitState.NEVER || wait > countdown.leftNanos()) {
                answer.complete(false);
            } else {
                after(wait, this::again);
            }
        }
    }

    private void after(long nanos, Runnable task) {
        if (nanos == 0) {
            task.run();
            return;
        }
        Runnable cancel = alarm.set(nanos, task, this);
        answer.whenComplete((taken, failure) -> cancel.run());
    }
}
