package io.ratelimit.core.entry;

import io.ratelimit.store.StoreException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A step that waits to be taken, and for what becomes of it. */
record QueuedStep(Step step, long queuedNanos, Duration patience, CompletableFuture<TakenStep> answer) {

    QueuedStep(Step step, long queuedNanos, Duration patience) {
        this(step, queuedNanos, patience, new CompletableFuture<>());
    }

    boolean isOfUse(long nanos) {
        return nanos - queuedNanos <= patience.toNanos();
    }

    /** The call was made. */
    void complete(@Nullable EntryAnswer call, int place, @Nullable Throwable failure) {
        if (call != null && place < call.steps().size()) {
            answer.complete(new TakenStep(call, call.steps().get(place)));
        } else {
            answer.completeExceptionally(
                    failure == null ? new StoreException("store-error", "an answer without this step") : failure);
        }
    }

    /** No call was made for it. */
    void giveUp() {
        answer.completeExceptionally(new StoreException(
                "store-timeout",
                "the call before this one for the same client has not ended in time, so that this one was not made"));
    }
}
