package io.ratelimit.client.http;

import java.io.IOException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Flow;

/**
 * A body that can be sent again, whole. One of known length is asked of its publisher again: the JDK's client refuses to send
 * fewer bytes. One of unknown length may come from a stream that is read once, so it is kept as it is sent, up to a bound.
 * Used by one attempt after the other.
 */
final class KeptBody implements BodyPublisher {

    private final BodyPublisher original;
    private final int mostBytes;
    private final List<byte[]> kept = new ArrayList<>();

    private boolean isBegun;
    private boolean isTooLarge;
    private boolean isWhole;
    private int bytes;

    /**
     * Keeps nothing yet.
     *
     * @param original the body
     * @param mostBytes the most that is kept in memory
     */
    KeptBody(BodyPublisher original, int mostBytes) {
        this.original = original;
        this.mostBytes = mostBytes;
    }

    @Override
    public long contentLength() {
        return original.contentLength();
    }

    @Override
    public synchronized void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
        if (contentLength() >= 0) {
            original.subscribe(subscriber);
        } else if (!isBegun) {
            isBegun = true;
            original.subscribe(new Keeping(subscriber));
        } else {
            BodyPublishers.ofByteArrays(List.copyOf(kept)).subscribe(subscriber);
        }
    }

    /**
     * Makes sure that another attempt would send the same.
     *
     * @throws IOException if it would not
     */
    synchronized void requireWhole() throws IOException {
        if (contentLength() < 0 && isBegun && !isWhole) {
            throw new IOException(
                    isTooLarge
                            ? "the request cannot be replayed: its body has no known length and more than " + mostBytes
                                    + " bytes; give a publisher that knows the length, such as ofFile or ofByteArray"
                            : "the request cannot be replayed: its body has no known length and was not sent to its end");
        }
    }

    private synchronized void keep(ByteBuffer buffer) {
        isTooLarge |= buffer.remaining() > mostBytes - bytes;
        if (isTooLarge) {
            kept.clear();
            return;
        }
        byte[] copy = new byte[buffer.remaining()];
        buffer.duplicate().get(copy);
        kept.add(copy);
        bytes += copy.length;
    }

    private synchronized void end() {
        isWhole = !isTooLarge;
    }

    private final class Keeping implements Flow.Subscriber<ByteBuffer> {

        private final Flow.Subscriber<? super ByteBuffer> sending;

        Keeping(Flow.Subscriber<? super ByteBuffer> sending) {
            this.sending = sending;
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            sending.onSubscribe(subscription);
        }

        @Override
        public void onNext(ByteBuffer buffer) {
            keep(buffer);
            sending.onNext(buffer);
        }

        @Override
        public void onError(Throwable failure) {
            sending.onError(failure);
        }

        @Override
        public void onComplete() {
            end();
            sending.onComplete();
        }
    }
}
