package io.ratelimit.server.listen;

import java.time.Duration;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;

/**
 * Takes and forgets what is left of a body whose request was answered before its end. A connection that is closed on bytes
 * that nobody has read is reset, and clients that still send, which most do before they read, never see the answer (RFC
 * 9112, section 9.6). No thread waits for the rest.
 */
public final class EarlyAnswers extends Handler.Wrapper {

    /** Several times what any body may have: whoever goes on with more does not look for answers. */
    private static final long MOST_BYTES = 32L << 20;

    /** For all of the rest, whatever it comes at. */
    private static final long MOST_NANOS = Duration.ofSeconds(30).toNanos();

    /**
     * Wraps a handler.
     *
     * @param handler answers
     */
    public EarlyAnswers(Handler handler) {
        super(handler);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (!mayBeLeft(request)) {
            return super.handle(request, response, callback);
        }
        Request whole = new ReadLater(request);
        Callback sent = Callback.from(() -> new Rest(request, callback).run(), callback::failed);
        Callback answered = Callback.from(() -> send(response, sent), callback::failed);
        try {
            return super.handle(whole, response, answered);
        } catch (Exception e) {
            // Jetty would do the same, but would forget the rest.
            Response.writeError(whole, response, answered, e);
            return true;
        }
    }

    /** Who waits to be asked for the body does not send it once there is an answer. */
    private static boolean mayBeLeft(Request request) {
        return request.getLength() != 0 && !request.getHeaders().contains(HttpHeader.EXPECT);
    }

    /** An answer without a body may not have been written yet. */
    private static void send(Response response, Callback sent) {
        if (response.hasLastWrite()) {
            sent.succeeded();
        } else {
            response.write(true, BufferUtil.EMPTY_BUFFER, sent);
        }
    }

    /** Where Jetty finds a body unread when it writes an answer, it gives the rest up. */
    private static final class ReadLater extends Request.Wrapper {

        ReadLater(Request request) {
            super(request);
        }

        @Override
        public boolean consumeAvailable() {
            return true;
        }
    }

    /** Read by one thread at a time. */
    private static final class Rest implements Runnable {

        private final Request request;
        private final Callback answered;
        private final long begin = System.nanoTime();
        private long bytes;

        Rest(Request request, Callback answered) {
            this.request = request;
            this.answered = answered;
        }

        @Override
        public void run() {
            while (bytes <= MOST_BYTES && System.nanoTime() - begin <= MOST_NANOS) {
                Content.Chunk chunk = request.read();
                if (chunk == null) {
                    request.demand(this);
                    return;
                }
                bytes += chunk.remaining();
                chunk.release();
                if (chunk.isLast() || Content.Chunk.isFailure(chunk)) {
                    break;
                }
            }
            // The answer is sent, however the rest ends.
            answered.succeeded();
        }
    }
}
