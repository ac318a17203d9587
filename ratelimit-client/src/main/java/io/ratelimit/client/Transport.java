package io.ratelimit.client;

import java.net.ConnectException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A way to one daemon, by HTTP/1.1. Connections are kept, redirects, which could take the token away, are not followed, and no
 * cookies are kept. All threads are daemon threads, their number does not grow with that of calls, and none waits for an
 * answer. Thread-safe.
 */
interface Transport extends AutoCloseable {

    /** More is no answer of a daemon. */
    int MOST_BYTES = 4 << 20;

    /** So many threads serve all calls. */
    int MOST_THREADS = 8;

    /**
     * Sends a request.
     *
     * @param method the method
     * @param path the path at the daemon, such as {@code /v1/decide}
     * @param headers the header; it holds the token, and is not to be shown to anybody
     * @param body the body in JSON, or null for none
     * @param patience how long to wait for the answer's end, connecting included
     * @return the answer. Fails once the patience is over, where the answer is larger than {@link #MOST_BYTES}, and where
     *     there is none: with a {@link ConnectException} where nothing was sent
     */
    CompletableFuture<Reply> send(
            String method, String path, Map<String, String> headers, @Nullable String body, Duration patience);

    /** Lets connections and threads go. Calls under way may fail. */
    @Override
    void close();

    /** The failure of a call of which the daemon has seen nothing. */
    static ConnectException unsent(Throwable cause) {
        ConnectException unsent = new ConnectException(String.valueOf(cause.getMessage()));
        unsent.initCause(cause);
        return unsent;
    }
}
