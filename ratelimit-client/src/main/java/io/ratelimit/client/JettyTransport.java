package io.ratelimit.client;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import org.eclipse.jetty.client.BufferingResponseListener;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.ProxyAuthenticationProtocolHandler;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.Result;
import org.eclipse.jetty.client.StringRequestContent;
import org.eclipse.jetty.client.WWWAuthenticationProtocolHandler;
import org.eclipse.jetty.client.transport.HttpClientTransportOverHTTP;
import org.eclipse.jetty.http.HttpCookieStore;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.ClientConnector;
import org.eclipse.jetty.io.Transport.TCPUnix;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.jspecify.annotations.Nullable;

/** HTTP and HTTPS, and HTTP on a Unix domain socket, by Jetty's client. */
final class JettyTransport implements Transport {

    private static final String THREADS = "ratelimit-http";
    private static final int MOST_HEADER_BYTES = 64 << 10;
    private static final long STOPPING_MILLIS = 500;

    /** Less than daemons do, so that it is not they who close a connection just when a question goes out. */
    private static final Duration IDLE = Duration.ofSeconds(30);

    /** Beside decisions: whether the daemon is back, settlements, rules. */
    private static final int OTHER_CALLS = 4;

    private final HttpClient client;
    private final String base;
    private final @Nullable TCPUnix socket;

    /**
     * Starts the client; connects when it is asked something.
     *
     * @param address where the daemon is
     * @param trusted whom to trust with https, or null for the JDK's own
     * @param mostCalls how many decisions may be under way, each with a connection
     */
    JettyTransport(DaemonAddress address, @Nullable SSLContext trusted, int mostCalls) {
        Path path = address.socket();
        socket = path == null ? null : new TCPUnix(path);
        base = path == null ? address.text() : "http://localhost";
        QueuedThreadPool threads = threads();
        ClientConnector connector = new ClientConnector();
        connector.setSelectors(1);
        connector.setExecutor(threads);
        connector.setSslContextFactory(tls(trusted));
        client = new HttpClient(new HttpClientTransportOverHTTP(connector));
        client.setName(THREADS);
        client.setExecutor(threads);
        client.setScheduler(new ScheduledExecutorScheduler(THREADS + "-timer", true));
        client.setMaxConnectionsPerDestination((int) Math.min((long) mostCalls + OTHER_CALLS, Integer.MAX_VALUE));
        client.setConnectTimeout(Daemon.PATIENCE.toMillis());
        client.setIdleTimeout(IDLE.toMillis());
        client.setMaxResponseHeadersSize(MOST_HEADER_BYTES);
        client.setFollowRedirects(false);
        client.setHttpCookieStore(new HttpCookieStore.Empty());
        client.setUserAgentField(null);
        start();
    }

    private static QueuedThreadPool threads() {
        QueuedThreadPool threads = new QueuedThreadPool(MOST_THREADS, 1);
        threads.setName(THREADS);
        threads.setDaemon(true);
        threads.setStopTimeout(STOPPING_MILLIS);
        return threads;
    }

    private static SslContextFactory.Client tls(@Nullable SSLContext trusted) {
        SslContextFactory.Client tls = new ContextAlone();
        try {
            tls.setSslContext(trusted == null ? SSLContext.getDefault() : trusted);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("the JDK has no TLS: " + e.getMessage(), e);
        }
        tls.setExcludeProtocols();
        tls.setExcludeCipherSuites();
        return tls;
    }

    /** The context says which protocols and ciphers are good enough, as it does for the JDK's client. */
    private static final class ContextAlone extends SslContextFactory.Client {

        /** Would warn of ciphers that the JDK allows. */
        @Override
        protected void checkConfiguration() {}
    }

    private void start() {
        try {
            client.start();
        } catch (Exception | LinkageError e) {
            LifeCycle.stop(client);
            if (e instanceof LinkageError missing) {
                throw missing;
            }
            throw new IllegalStateException("the client of daemons cannot be started: " + e, e);
        }
        // They would make a failure of a 401 that does not say how to do better.
        client.getProtocolHandlers().remove(WWWAuthenticationProtocolHandler.NAME);
        client.getProtocolHandlers().remove(ProxyAuthenticationProtocolHandler.NAME);
        client.getContentDecoderFactories().clear();
    }

    @Override
    public CompletableFuture<Reply> send(
            String method, String path, Map<String, String> headers, @Nullable String body, Duration patience) {
        Request request = client.newRequest(URI.create(base + path))
                .method(method)
                .timeout(patience.toNanos(), TimeUnit.NANOSECONDS)
                .headers(fields -> headers.forEach(fields::put));
        if (socket != null) {
            request.transport(socket);
        }
        if (patience.compareTo(IDLE) >= 0) {
            request.idleTimeout(patience.toNanos(), TimeUnit.NANOSECONDS);
        }
        if (body != null) {
            request.body(new StringRequestContent(headers.getOrDefault("Content-Type", "text/plain"), body));
        }
        Answer answer = new Answer();
        request.onRequestBegin(answer::begun);
        request.send(answer);
        return answer.reply;
    }

    /** The answer of one call. */
    private static final class Answer extends BufferingResponseListener {

        final CompletableFuture<Reply> reply = new CompletableFuture<>();
        private final AtomicBoolean isSent = new AtomicBoolean();

        Answer() {
            super(MOST_BYTES);
        }

        void begun(Request request) {
            isSent.set(true);
        }

        @Override
        public void onComplete(Result result) {
            Throwable failure = result.getFailure();
            if (failure != null) {
                boolean isUnsent = !isSent.get() || failure instanceof SSLHandshakeException;
                reply.completeExceptionally(isUnsent ? Transport.unsent(failure) : failure);
                return;
            }
            String etag = result.getResponse().getHeaders().get(HttpHeader.ETAG);
            reply.complete(
                    new Reply(result.getResponse().getStatus(), etag, getContentAsString(StandardCharsets.UTF_8)));
        }
    }

    @Override
    public void close() {
        try {
            client.stop();
        } catch (Exception e) {
            throw new IllegalStateException("the client of daemons cannot be stopped: " + e, e);
        }
    }
}
