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

    /** More than twice the largest body that is read: whoever goes on with more does not look for answers. */
    private static final long MOST_BYTES = 32L << 20;

    /** After which nothing more is taken. Who is silent for long enough is cut off by the connector before. */
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
        if (!hasBody(request)) {
            return super.handle(request, response, callback);
        }
        Body body = new Body(request);
        Callback sent = Callback.from(() -> body.takeRest(callback), callback::failed);
        Callback answered = Callback.from(() -> send(response, sent), callback::failed);
        try {
            return super.handle(body, response, answered);
        } catch (Exception e) {
            // Jetty would do the same, but would forget the rest.
            Response.writeError(body, response, answered, e);
            return true;
        }
    }

    private static boolean hasBody(Request request) {
        return request.getLength() > 0 || request.getHeaders().contains(HttpHeader.TRANSFER_ENCODING);
    }

    /** An answer without a body may not have been written yet. */
    private static void send(Response response, Callback sent) {
        if (response.hasLastWrite()) {
            sent.succeeded();
        } else {
            response.write(true, BufferUtil.EMPTY_BUFFER, sent);
        }
    }

    /** A request with a body, read by one thread at a time. */
    private static final class Body extends Request.Wrapper {

        private volatile boolean isSent;

        Body(Request request) {
            super(request);
            // Who waits to be asked for it does not send it once there is an answer.
            isSent = !request.getHeaders().contains(HttpHeader.EXPECT);
        }

        @Override
        public Content.Chunk read() {
            isSent = true;
            return super.read();
        }

        @Override
        public void demand(Runnable task) {
            isSent = true;
            super.demand(task);
        }

        /** Where Jetty finds a body unread when it writes an answer, it gives the rest up. */
        @Override
        public boolean consumeAvailable() {
            return isSent || super.consumeAvailable();
        }

        private void takeRest(Callback answered) {
            if (isSent) {
                new Rest(getWrapped(), answered).run();
            } else {
                answered.succeeded();
            }
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
