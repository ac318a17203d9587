package io.ratelimit.core.retrieve;

import io.ratelimit.core.thread.DaemonThreads;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A HTTP client whose threads end when it is closed and do not hold the application's class loader: before Java 21 the
 * JDK's client has no end of its own but garbage collection. Made at the first request.
 */
final class HttpExchanger implements AutoCloseable {

    private static final Duration FAREWELL = Duration.ofMillis(150);

    private final DaemonThreads threads = new DaemonThreads("ratelimit-rules-http");
    private final Duration connectTimeout;
    private @Nullable HttpClient client;
    private @Nullable ThreadPoolExecutor executor;
    private boolean closed;

    HttpExchanger(Duration connectTimeout) {
        this.connectTimeout = connectTimeout;
    }

    /**
     * Sends a request and waits for the whole answer: the timeout of a request ends at the headers, and a body that never
     * ends must not hold the thread.
     *
     * @param timeout for how long at most
     * @throws HttpTimeoutException if there is no whole answer by then
     * @throws IOException if there is none at all; the message says why
     */
    <T> HttpResponse<T> send(HttpRequest.Builder request, HttpResponse.BodyHandler<T> handler, Duration timeout)
            throws IOException, InterruptedException {
        HttpRequest made = request.timeout(timeout).build();
        CompletableFuture<HttpResponse<T>> answer = client(made).sendAsync(made, handler);
        try {
            return answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw tooSlow(timeout);
        } catch (ExecutionException e) {
            throw failure(e.getCause() == null ? e : e.getCause(), timeout);
        } finally {
            answer.cancel(true);
        }
    }

    /** The client's own words are few, or none. */
    private IOException failure(Throwable cause, Duration timeout) {
        if (cause instanceof HttpConnectTimeoutException) {
            return because(cause, new ConnectException("no connection within " + connectTimeout.toMillis() + " ms"));
        }
        if (cause instanceof HttpTimeoutException) {
            return because(cause, tooSlow(timeout));
        }
        if (cause instanceof ConnectException) {
            return because(cause, new ConnectException("cannot connect"));
        }
        return cause instanceof IOException io && io.getMessage() != null
                ? io
                : new IOException(cause.toString(), cause);
    }

    private static IOException because(Throwable cause, IOException failure) {
        failure.initCause(cause);
        return failure;
    }

    private static HttpTimeoutException tooSlow(Duration timeout) {
        return new HttpTimeoutException("no whole answer within " + timeout.toMillis() + " ms");
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (client != null) {
            shutDown(client);
            client = null;
        }
        if (executor != null) {
            executor.shutdownNow();
            executor = null;
            awaitEnd();
        }
    }

    private synchronized HttpClient client(HttpRequest request) throws IOException {
        if (closed) {
            throw new IOException(request.uri() + ": not asked any more, the source is closed");
        }
        if (client == null) {
            client = newClient();
        }
        return client;
    }

    private HttpClient newClient() {
        Thread current = Thread.currentThread();
        ClassLoader context = current.getContextClassLoader();
        ThreadPoolExecutor worker =
                new ThreadPoolExecutor(1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), this::thread);
        worker.allowCoreThreadTimeOut(true);
        executor = worker;
        // The client's selector thread inherits the context class loader of the thread that builds the client.
        current.setContextClassLoader(ClassLoader.getSystemClassLoader());
        try {
            return HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .connectTimeout(connectTimeout)
                    .executor(worker)
                    .build();
        } finally {
            current.setContextClassLoader(context);
        }
    }

    private void awaitEnd() {
        try {
            threads.awaitEnd(FAREWELL.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Thread thread(Runnable work) {
        Thread thread = threads.newThread(work);
        thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
        return thread;
    }

    /** {@code shutdownNow} came with Java 21; where it is missing, the unreachable client ends its thread itself. */
    private static void shutDown(HttpClient client) {
        try {
            HttpClient.class.getMethod("shutdownNow").invoke(client);
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
            // Nothing more can be done, nor need be: see above.
        }
    }
}
