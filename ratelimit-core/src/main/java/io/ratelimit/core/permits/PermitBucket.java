package io.ratelimit.core.permits;

import java.util.concurrent.CompletionStage;

/** Where permits come from. Thread-safe. */
interface PermitBucket {

    /**
     * Takes tokens, all or none.
     *
     * @param tokens at least 1
     * @param maxWaitNanos how long the caller would wait for its turn where tokens can be spent ahead of time
     * @return a stage that always completes normally, soon
     * @throws IllegalArgumentException if there is no such bucket
     */
    CompletionStage<Attempt> take(long tokens, long maxWaitNanos);

    /**
     * Takes tokens that are there, all or none.
     *
     * @param tokens at least 1
     * @return whether they were taken
     * @throws IllegalArgumentException if there is no such bucket
     */
    default boolean tryTake(long tokens) {
        return take(tokens, 0).toCompletableFuture().join() instanceof Attempt.Granted;
    }

    /** The most tokens that can ever be taken at once. */
    long capacity();
}
