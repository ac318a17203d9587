package io.ratelimit.core.retrieve;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The body of an answer that goes on for as long as the service likes. Nothing of it is read before {@link #listen()}, and
 * no more at a time than was worked off. The events come on the thread of the HTTP client; everything else is the
 * listener's.
 */
final class EventStream implements BodySubscriber<EventStream>, AutoCloseable {

    private final CompletableFuture<EventStream> opened = new CompletableFuture<>();
    private final CompletableFuture<@Nullable Void> end = new CompletableFuture<>();
    private final EventParser parser;
    private volatile @Nullable Subscription subscription;
    private volatile long heardNanos = System.nanoTime();

    EventStream(Consumer<ServerEvent> events) {
        this.parser = new EventParser(events);
    }

    void listen() {
        heardNanos = System.nanoTime();
        more();
    }

    /**
     * Waits for the end of the stream.
     *
     * @param time how long at most
     * @param silence how long the stream may go without a line
     * @return whether it ended by then
     * @throws IOException if it broke off, or was silent for too long
     */
    boolean endsWithin(Duration time, Duration silence) throws IOException, InterruptedException {
        long until = System.nanoTime() + time.toNanos();
        while (true) {
            long now = System.nanoTime();
            long untilSilent = heardNanos + silence.toNanos() - now;
            if (untilSilent <= 0) {
                throw new IOException("it was silent for " + silence.toMillis() + " ms");
            }
            if (until - now <= 0) {
                return end.isDone();
            }
            try {
                end.get(Math.min(untilSilent, until - now), TimeUnit.NANOSECONDS);
                return true;
            } catch (TimeoutException e) {
                // Not the end; whether it is silence depends on what came meanwhile.
            } catch (ExecutionException e) {
                throw new IOException(OneLine.of(e.getCause() == null ? e : e.getCause()), e);
            }
        }
    }

    /** Hangs up, whether anything was read or not. */
    @Override
    public void close() {
        end.complete(null);
        Subscription open = subscription;
        if (open != null) {
            open.cancel();
        }
    }

    @Override
    public CompletionStage<EventStream> getBody() {
        return opened;
    }

    @Override
    public void onSubscribe(Subscription given) {
        if (subscription != null) {
            given.cancel();
            return;
        }
        subscription = given;
        if (end.isDone()) {
            // Closed before it was open.
            given.cancel();
        }
        opened.complete(this);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        if (end.isDone()) {
            return;
        }
        try {
            for (ByteBuffer buffer : buffers) {
                if (parser.read(buffer)) {
                    heardNanos = System.nanoTime();
                }
            }
            more();
        } catch (IOException | RuntimeException e) {
            end.completeExceptionally(e);
            close();
        }
    }

    @Override
    public void onError(Throwable failure) {
        opened.completeExceptionally(failure);
        end.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        end.complete(null);
    }

    private void more() {
        Subscription open = subscription;
        if (open != null) {
            open.request(1);
        }
    }
}
