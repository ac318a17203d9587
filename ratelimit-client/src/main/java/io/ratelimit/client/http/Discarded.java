package io.ratelimit.client.http;

import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** The body of an answer that nobody reads, read to its end if that comes soon, so that the connection can be used again. */
final class Discarded<T extends @Nullable Object> implements BodySubscriber<T> {

    private static final int MOST_BYTES = 64 << 10;

    private final CompletableFuture<T> end = new CompletableFuture<>();
    private Flow.@Nullable Subscription subscription;
    private int bytes;

    @Override
    public CompletionStage<T> getBody() {
        return end;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = given;
        given.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        for (ByteBuffer buffer : buffers) {
            bytes = Math.min(MOST_BYTES + 1, bytes + Math.min(buffer.remaining(), MOST_BYTES + 1));
        }
        if (bytes > MOST_BYTES && subscription != null) {
            subscription.cancel();
            onComplete();
        }
    }

    @Override
    public void onError(Throwable failure) {
        end.completeExceptionally(failure);
    }

    @Override
    @SuppressWarnings("NullAway")
    public void onComplete() {
        end.complete(null);
    }
}
