package io.ratelimit.server.daemon;

import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Promise;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;

/**
 * Reads JSON that requests carry, without holding a thread until it has come. All bodies that are being sent or answered
 * have a part of the heap in common. Thread-safe.
 */
final class Bodies {

    /** A hundred requests with ten kilobytes of header fields each. */
    static final int LARGEST = 1 << 20;

    private final long room;
    private final AtomicLong taken = new AtomicLong();

    /**
     * Begins with no body.
     *
     * @param room bytes for all bodies together, at least {@link #LARGEST}
     */
    Bodies(long room) {
        this.room = room;
    }

    CompletionStage<byte[]> json(Request request) {
        String type = request.getHeaders().get(HttpHeader.CONTENT_TYPE);
        if (type == null || !isJson(type)) {
            throw new BadQuestionException(415, "send the body as Content-Type: application/json");
        }
        long length = request.getLength();
        if (length < 0) {
            throw new BadQuestionException(411, "send the body with its Content-Length");
        }
        if (length > LARGEST) {
            throw new BadQuestionException(413, "the body is larger than " + LARGEST + " bytes");
        }
        hold(request, length);
        CompletableFuture<byte[]> body = new CompletableFuture<>();
        Content.Source.asByteArrayAsync(
                request,
                LARGEST,
                Promise.Invocable.from(InvocationType.NON_BLOCKING, body::complete, body::completeExceptionally));
        return body;
    }

    private static boolean isJson(String type) {
        String bare = type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        return bare.equals("application/json");
    }

    /** Until the answer is sent, or never will be. */
    private void hold(Request request, long bytes) {
        if (taken.addAndGet(bytes) > room) {
            taken.addAndGet(-bytes);
            throw new BadQuestionException(503, "too many bodies are under way; come back in a second");
        }
        Request.addCompletionListener(request, failure -> taken.addAndGet(-bytes));
    }
}
