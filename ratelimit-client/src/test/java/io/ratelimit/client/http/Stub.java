package io.ratelimit.client.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A server that answers as it is told, the last answer again and again, and records every attempt with its body. */
final class Stub implements AutoCloseable {

    /** An attempt as it came. */
    @SuppressWarnings("ArrayRecordComponent")
    record Attempt(String path, String method, String key, Headers headers, byte[] body, long nanos) {}

    /** An answer; one of status 0 comes too late. */
    record Answer(int status, String retryAfter, String body) {

        Answer(int status, String retryAfter) {
            this(status, retryAfter, "status " + status);
        }
    }

    static {
        // Else each answer waits for the acknowledgement of its header.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Queue<Answer> answers = new ArrayDeque<>();
    private final List<Attempt> attempts = new CopyOnWriteArrayList<>();

    private final Set<InetSocketAddress> peers = ConcurrentHashMap.newKeySet();

    Stub(Answer... inOrder) throws IOException {
        answers.addAll(List.of(inOrder));
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    static Stub of(int... statuses) throws IOException {
        Answer[] inOrder = new Answer[statuses.length];
        for (int i = 0; i < statuses.length; i++) {
            inOrder[i] = new Answer(statuses[i], null);
        }
        return new Stub(inOrder);
    }

    private synchronized Answer next() {
        return answers.size() > 1 ? answers.remove() : answers.element();
    }

    private void answer(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        peers.add(exchange.getRemoteAddress());
        attempts.add(new Attempt(
                exchange.getRequestURI().getPath(),
                exchange.getRequestMethod(),
                exchange.getRequestHeaders().getFirst("Idempotency-Key"),
                exchange.getRequestHeaders(),
                body,
                System.nanoTime()));
        Answer answer = next();
        if (answer.status() == 0) {
            // The client has gone by then.
            sleep(2_000);
        }
        if (answer.retryAfter() != null) {
            exchange.getResponseHeaders().set("Retry-After", answer.retryAfter());
        }
        exchange.getResponseHeaders().set("Content-Type", "text/plain");
        byte[] text = answer.body().getBytes(StandardCharsets.US_ASCII);
        exchange.sendResponseHeaders(Math.max(answer.status(), 200), text.length);
        exchange.getResponseBody().write(text);
        exchange.close();
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }

    /** The connections that attempts came by. */
    Set<InetSocketAddress> peers() {
        return peers;
    }

    List<Attempt> attempts() {
        return attempts;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
