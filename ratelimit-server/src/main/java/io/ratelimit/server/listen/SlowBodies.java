package io.ratelimit.server.listen;

import java.time.Duration;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Ends requests whose body comes too slowly: who sends it by drops holds memory and a connection for nothing. Each request
 * is measured by itself; Jetty's own handler for this divides what all have sent by the time of one.
 */
public final class SlowBodies extends Handler.Wrapper {

    /** What comes at once is not measured by a moment. */
    private static final long GRACE_NANOS = Duration.ofSeconds(1).toNanos();

    private static final double NANOS_PER_SECOND = 1e9;

    private final long bytesPerSecond;

    /**
     * Wraps a handler.
     *
     * @param handler answers
     * @param bytesPerSecond what a body has to come at, on average since its request came
     */
    public SlowBodies(Handler handler, long bytesPerSecond) {
        super(handler);
        this.bytesPerSecond = bytesPerSecond;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        return super.handle(new Measured(request, bytesPerSecond), response, callback);
    }

    /** Read by one thread at a time. */
    private static final class Measured extends Request.Wrapper {

        private final long bytesPerSecond;
        private final long begin = System.nanoTime();
        private long bytes;
        private Content.@Nullable Chunk failure;

        Measured(Request request, long bytesPerSecond) {
            super(request);
            this.bytesPerSecond = bytesPerSecond;
        }

        @Override
        public Content.Chunk read() {
            if (failure != null) {
                return failure;
            }
            Content.Chunk chunk = super.read();
            if (chunk == null || chunk.isLast()) {
                return chunk;
            }
            bytes += chunk.remaining();
            long elapsed = System.nanoTime() - begin;
            if (elapsed < GRACE_NANOS || bytes * NANOS_PER_SECOND / elapsed >= bytesPerSecond) {
                return chunk;
            }
            chunk.release();
            failure = Content.Chunk.from(new HttpException.RuntimeException(
                    HttpStatus.REQUEST_TIMEOUT_408,
                    "the body comes more slowly than " + bytesPerSecond + " bytes a second"));
            return failure;
        }
    }
}
