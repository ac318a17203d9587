package io.ratelimit.core.retrieve;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Collects a response's body up to a limit and hangs up beyond it. */
final class CappedBody implements BodySubscriber<byte[]> {

    private final CompletableFuture<byte[]> body = new CompletableFuture<>();
    private final ByteArrayOutputStream collected = new ByteArrayOutputStream();
    private final int limit;
    private final @Nullable Supplier<IOException> excess;
    private @Nullable Subscription subscription;

    /**
     * @param limit the greatest number of bytes
     * @param excess the failure of a longer body, or null if a longer body is cut
     */
    CappedBody(int limit, @Nullable Supplier<IOException> excess) {
        this.limit = limit;
        this.excess = excess;
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return body;
    }

    @Override
    public void onSubscribe(Subscription given) {
        if (subscription != null) {
            given.cancel();
            return;
        }
        subscription = given;
        given.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        for (ByteBuffer buffer : buffers) {
            if (body.isDone()) {
                return;
            }
            if (buffer.remaining() > limit - collected.size()) {
                hangUp();
                return;
            }
            byte[] bytes = new byte[buffer.remaining()];
            buffer.get(bytes);
            collected.write(bytes, 0, bytes.length);
        }
    }

    @Override
    public void onError(Throwable failure) {
        body.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        body.complete(collected.toByteArray());
    }

    private void hangUp() {
        if (subscription != null) {
            subscription.cancel();
        }
        if (excess == null) {
            body.complete(collected.toByteArray());
        } else {
            body.completeExceptionally(excess.get());
        }
    }
}
