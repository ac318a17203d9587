package io.ratelimit.client;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/** HTTP and HTTPS by the JDK's client. */
final class JdkTransport implements Transport {

    private static final long IDLE_THREAD_SECONDS = 10;

    private final String address;
    private final HttpClient client;

    /**
     * Connects when it is asked something.
     *
     * @param address where the daemon is, without a slash at its end
     * @param trusted whom to trust with https, or null for the JDK's own
     */
    JdkTransport(String address, @Nullable SSLContext trusted) {
        this.address = address;
        HttpClient.Builder settings = HttpClient.newBuilder()
                // Else the first call without TLS offers to change to HTTP/2.
                .version(HttpClient.Version.HTTP_1_1)
                .executor(threads())
                .connectTimeout(Daemon.PATIENCE);
        client = (trusted == null ? settings : settings.sslContext(trusted)).build();
    }

    /** Without one, the client starts as many threads as there are answers at a time. */
    private static Executor threads() {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                MOST_THREADS,
                MOST_THREADS,
                IDLE_THREAD_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                work -> {
                    Thread thread = new Thread(work, "ratelimit-jdk-http");
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    @Override
    public CompletableFuture<Reply> send(
            String method, String path, Map<String, String> headers, @Nullable String body, Duration patience) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + path))
                .timeout(patience)
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        headers.forEach(request::setHeader);
        CompletableFuture<HttpResponse<String>> sent =
                client.sendAsync(request.build(), info -> new BoundedText(MOST_BYTES));
        // The request's own timeout ends with the answer's header.
        return sent.copy()
                .orTimeout(patience.toNanos(), TimeUnit.NANOSECONDS)
                .whenComplete((response, failure) -> sent.cancel(true))
                .handle(JdkTransport::reply);
    }

    private static Reply reply(@Nullable HttpResponse<String> response, @Nullable Throwable failure) {
        if (response != null) {
            return new Reply(
                    response.statusCode(), response.headers().firstValue("ETag").orElse(null), response.body());
        }
        Throwable cause = Daemon.causeOf(Objects.requireNonNull(failure));
        boolean isUnsent = cause instanceof HttpConnectTimeoutException || cause instanceof SSLHandshakeException;
        throw new CompletionException(isUnsent ? Transport.unsent(cause) : cause);
    }

    /** The JDK's client of Java 17 cannot be closed: its thread ends when nobody holds it any more, others before that. */
    @Override
    public void close() {}
}
