package io.ratelimit.client;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** A body as text in UTF-8, up to a length: what is longer fails, and is not read to its end. */
final class BoundedText implements BodySubscriber<String> {

    private final BodySubscriber<String> text = BodySubscribers.ofString(StandardCharsets.UTF_8);
    private final int mostBytes;
    private Flow.@Nullable Subscription subscription;
    private long bytes;

    BoundedText(int mostBytes) {
        this.mostBytes = mostBytes;
    }

    @Override
    public CompletionStage<String> getBody() {
        return text.getBody();
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = given;
        text.onSubscribe(given);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        for (ByteBuffer buffer : buffers) {
            bytes += buffer.remaining();
        }
        if (bytes <= mostBytes) {
            text.onNext(buffers);
        } else if (subscription != null) {
            subscription.cancel();
            text.onError(new IOException("the answer has more than " + mostBytes + " bytes"));
        }
    }

    @Override
    public void onError(Throwable failure) {
        text.onError(failure);
    }

    @Override
    public void onComplete() {
        text.onComplete();
    }
}
