package io.ratelimit.client.http;

import io.ratelimit.Permits;
import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's client, well-behaved: where a server refuses (429, 503) or a gateway fails (502, 504), or there is no connection,
 * it waits and sends the request again, as often as is good for the server, and only what may be sent twice. It waits at
 * least as long as the server asks for, by {@code Retry-After} or {@code RateLimit}. The caller gets the last answer.
 *
 * <p>Thread-safe. An interrupt ends a wait at once, and a future that is cancelled is not sent again.
 */
public final class RetryingHttpClient extends HttpClient {

    private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

    private final HttpClient client;
    private final Retries retries;

    RetryingHttpClient(HttpClient client, Retries retries) {
        this.client = client;
        this.retries = retries;
    }

    /**
     * Begins to configure a client.
     *
     * @param client sends the requests
     * @return a builder with defaults
     */
    public static RetryingHttpClientBuilder around(HttpClient client) {
        return new RetryingHttpClientBuilder(client);
    }

    /**
     * Sends a request, and holds the thread until the last answer.
     *
     * @throws IOException if there is no answer, or the request should be sent again and its body cannot; the message
     *     says which
     * @throws InterruptedException if the thread is interrupted while it waits or sends; after a wait it stays
     *     interrupted
     */
    @Override
    public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler)
            throws IOException, InterruptedException {
        Exchange<T> exchange = begin(request, handler);
        while (true) {
            if (retries.pace() != null) {
                retries.pace().acquire();
            }
            Duration wait;
            try {
                HttpResponse<T> response = client.send(exchange.attempt(), exchange::answered);
                wait = exchange.untilNext();
                if (wait == null) {
                    return response;
                }
            } catch (IOException e) {
                exchange.failed(e);
                wait = exchange.untilNext();
                if (wait == null) {
                    throw e;
                }
            }
            await(exchange, wait);
        }
    }

    private void await(Exchange<?> exchange, Duration wait) throws IOException, InterruptedException {
        try {
            exchange.requireReplayable();
            retries.pause().sleep(wait);
        } catch (InterruptedException e) {
            // A caller that forgets it must not go on as if nothing had happened.
            Thread.currentThread().interrupt();
            throw e;
        } finally {
            retries.limits().leave();
        }
    }

    private <T> Exchange<T> begin(HttpRequest request, BodyHandler<T> handler) {
        retries.limits().request();
        return new Exchange<>(retries, request, handler);
    }

    /**
     * Sends a request without a thread that waits.
     *
     * @return the last answer; exceptionally, what {@link #send} throws
     */
    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, BodyHandler<T> handler) {
        return sendAsync(request, handler, null);
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request, BodyHandler<T> handler, @Nullable PushPromiseHandler<T> pushed) {
        CompletableFuture<HttpResponse<T>> answer = new CompletableFuture<>();
        attempt(begin(request, handler), pushed, answer);
        return answer;
    }

    private <T> void attempt(
            Exchange<T> exchange, @Nullable PushPromiseHandler<T> pushed, CompletableFuture<HttpResponse<T>> answer) {
        turn().thenCompose(turn -> {
                    CompletableFuture<HttpResponse<T>> sent =
                            client.sendAsync(exchange.attempt(), exchange::answered, pushed);
                    answer.whenComplete((told, failure) -> sent.cancel(true));
                    return sent;
                })
                .whenComplete((response, failure) -> {
                    if (failure == null) {
                        goOn(exchange, pushed, answer, () -> answer.complete(response));
                    } else {
                        Throwable cause = causeOf(failure);
                        exchange.failed(cause);
                        goOn(exchange, pushed, answer, () -> answer.completeExceptionally(cause));
                    }
                });
    }

    private <T> void goOn(
            Exchange<T> exchange,
            @Nullable PushPromiseHandler<T> pushed,
            CompletableFuture<HttpResponse<T>> answer,
            Runnable end) {
        Duration wait = exchange.untilNext();
        if (wait == null) {
            end.run();
            return;
        }
        try {
            exchange.requireReplayable();
        } catch (IOException e) {
            retries.limits().leave();
            answer.completeExceptionally(e);
            return;
        }
        retries.pause().later(wait).whenComplete((over, never) -> {
            retries.limits().leave();
            if (!answer.isDone()) {
                attempt(exchange, pushed, answer);
            }
        });
    }

    private CompletableFuture<Boolean> turn() {
        Permits pace = retries.pace();
        return pace == null ? CompletableFuture.completedFuture(true) : pace.acquireAsync(1, FOREVER);
    }

    private static Throwable causeOf(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }

    @Override
    public Optional<CookieHandler> cookieHandler() {
        return client.cookieHandler();
    }

    @Override
    public Optional<Duration> connectTimeout() {
        return client.connectTimeout();
    }

    @Override
    public Redirect followRedirects() {
        return client.followRedirects();
    }

    @Override
    public Optional<ProxySelector> proxy() {
        return client.proxy();
    }

    @Override
    public SSLContext sslContext() {
        return client.sslContext();
    }

    @Override
    public SSLParameters sslParameters() {
        return client.sslParameters();
    }

    @Override
    public Optional<Authenticator> authenticator() {
        return client.authenticator();
    }

    @Override
    public Version version() {
        return client.version();
    }

    @Override
    public Optional<Executor> executor() {
        return client.executor();
    }

    @Override
    public WebSocket.Builder newWebSocketBuilder() {
        return client.newWebSocketBuilder();
    }
}
