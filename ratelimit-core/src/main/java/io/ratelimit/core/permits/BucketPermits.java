package io.ratelimit.core.permits;

import io.ratelimit.LimitState;
import io.ratelimit.Permits;
import io.ratelimit.Reservation;
import io.ratelimit.TimeSource;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** All ways of waiting for the tokens of one bucket. Thread-safe. */
final class BucketPermits implements Permits {

    private final PermitBucket bucket;
    private final TimeSource timeSource;
    private final Pause pause;
    private final Alarm alarm;

    BucketPermits(PermitBucket bucket, TimeSource timeSource, Pause pause, Alarm alarm) {
        this.bucket = bucket;
        this.timeSource = timeSource;
        this.pause = pause;
        this.alarm = alarm;
    }

    @Override
    public boolean tryAcquire(long tokens) {
        check(tokens);
        return bucket.tryTake(tokens);
    }

    @Override
    public void acquire(long tokens) throws InterruptedException {
        if (!await(tokens, Countdown.endless(timeSource))) {
            throw moreThanCapacity(tokens);
        }
    }

    @Override
    public boolean acquire(long tokens, Duration timeout) throws InterruptedException {
        return await(tokens, Countdown.of(timeout, timeSource));
    }

    @Override
    public Reservation reserve(long tokens) {
        Attempt attempt = take(tokens, Long.MAX_VALUE);
        if (attempt instanceof Attempt.Granted granted) {
            return new TakenTurn(granted);
        }
        if (isNever(attempt)) {
            throw moreThanCapacity(tokens);
        }
        throw new IllegalStateException("the limit promises no turn ahead of time: reserve(tokens, maxWait) answers"
                + " without one, acquire(tokens) waits and tries again");
    }

    @Override
    public Optional<Reservation> reserve(long tokens, Duration maxWait) {
        return take(tokens, Countdown.nanosOf(maxWait)) instanceof Attempt.Granted granted
                ? Optional.of(new TakenTurn(granted))
                : Optional.empty();
    }

    @Override
    public CompletableFuture<Boolean> acquireAsync(long tokens, Duration timeout) {
        check(tokens);
        return new AsyncAcquisition(bucket, alarm, Countdown.of(timeout, timeSource), tokens).start();
    }

    /** Whether the turn has come; false as soon as it cannot come in time. */
    private boolean await(long tokens, Countdown countdown) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before any token was taken");
        }
        while (true) {
            long left = countdown.leftNanos();
            Attempt attempt = take(tokens, left);
            if (attempt instanceof Attempt.Granted granted) {
                awaitTurn(granted);
                return true;
            }
            long wait = ((Attempt.Refused) attempt).waitNanos();
            if (wait == LimitState.NEVER || wait > left) {
                return false;
            }
            pause.await(wait);
        }
    }

    private void awaitTurn(Attempt.Granted granted) throws InterruptedException {
        if (granted.waitNanos() == 0) {
            return;
        }
        try {
            pause.await(granted.waitNanos());
        } catch (InterruptedException e) {
            granted.giveBack().run();
            throw e;
        }
    }

    private Attempt take(long tokens, long maxWaitNanos) {
        check(tokens);
        return bucket.take(tokens, maxWaitNanos).toCompletableFuture().join();
    }

    private static void check(long tokens) {
        if (tokens < 1) {
            throw new IllegalArgumentException("1 or more tokens can be acquired, not " + tokens);
        }
    }

    private static boolean isNever(Attempt attempt) {
        return attempt instanceof Attempt.Refused refused && refused.waitNanos() == LimitState.NEVER;
    }

    private IllegalArgumentException moreThanCapacity(long tokens) {
        return new IllegalArgumentException(
                tokens + " tokens can never be acquired at once: the limit holds at most " + bucket.capacity());
    }
}
