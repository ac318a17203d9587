package io.ratelimit.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A daemon that answers as it is told, and records what it is asked. */
final class StubDaemon implements AutoCloseable {

    static final String ALLOWED = "{\"allowed\":true,\"reason\":\"NO_LIMIT\"}";

    /** A request as it came. */
    record Asked(String method, String path, String authorization, String etag, String body) {

        boolean isLook() {
            return body.contains("\"look\":true");
        }
    }

    static {
        // Else each answer waits for the acknowledgement of its header.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Asked> asked = new CopyOnWriteArrayList<>();

    private final Set<InetSocketAddress> peers = ConcurrentHashMap.newKeySet();

    /** How many settlements it has taken. */
    final AtomicInteger settled = new AtomicInteger();

    volatile int status = 200;
    volatile String decision = ALLOWED;
    volatile Duration delay = Duration.ZERO;
    volatile String rules;
    volatile int settleStatus = 200;

    /** A settlement with this receipt is not understood. */
    volatile String misunderstood = "none";

    StubDaemon() throws IOException {
        this(0);
    }

    StubDaemon(int port) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String path = exchange.getRequestURI().getPath();
        String etag = exchange.getRequestHeaders().getFirst("If-None-Match");
        asked.add(new Asked(
                exchange.getRequestMethod(), path, exchange.getRequestHeaders().getFirst("Authorization"), etag, body));
        peers.add(exchange.getRemoteAddress());
        sleep(delay);
        switch (path) {
            case "/v1/decide" -> answer(exchange, status, decision);
            case "/v1/settle" -> {
                int settling = body.contains("\"" + misunderstood + "\"") ? 400 : settleStatus;
                settled.addAndGet(settling == 200 ? settlements(body) : 0);
                answer(exchange, settling, "{\"settled\":[true]}");
            }
            case "/v1/rules" -> {
                String now = rules;
                String tag = now == null ? null : "\"" + Integer.toHexString(now.hashCode()) + "\"";
                if (now == null) {
                    answer(exchange, 503, "{}");
                } else if (tag.equals(etag)) {
                    exchange.sendResponseHeaders(304, -1);
                } else {
                    exchange.getResponseHeaders().set("ETag", tag);
                    answer(exchange, 200, now);
                }
            }
            default -> answer(exchange, 404, "{}");
        }
        exchange.close();
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private static void sleep(Duration time) {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The connections that questions came by. */
    Set<InetSocketAddress> peers() {
        return peers;
    }

    static int settlements(String body) {
        return body.split("\"receipt\"", -1).length - 1;
    }

    int port() {
        return server.getAddress().getPort();
    }

    String address() {
        return "http://127.0.0.1:" + port();
    }

    /** What was asked at a path, without questions whether the daemon is there. */
    List<Asked> asked(String path) {
        return asked.stream()
                .filter(request ->
                        request.path().equals(path) && !request.body().equals(Question.WHETHER_YOU_ARE_THERE))
                .toList();
    }

    long timesAskedWhetherItIsThere() {
        return asked.stream()
                .filter(request -> request.body().equals(Question.WHETHER_YOU_ARE_THERE))
                .count();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
