package io.ratelimit.core.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A rules service that takes reports. */
final class ReportedService implements AutoCloseable {

    /** A report as it came. */
    record Sent(Headers headers, String text) {

        JsonNode json() {
            return ToldRequests.read(text.getBytes(UTF_8));
        }
    }

    final List<Sent> reports = new CopyOnWriteArrayList<>();
    volatile @Nullable String link = "</events>; rel=\"events\", </reports>; rel=\"reports\"";
    volatile int status = 204;
    volatile long answersAfterMillis;
    volatile String rules;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;
    private final AtomicInteger version = new AtomicInteger(17);

    ReportedService(int port, String rules) throws IOException {
        this.rules = rules;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setExecutor(threads);
        server.createContext("/rules", this::giveRules);
        server.createContext("/reports", this::takeReport);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    String url() {
        return "http://127.0.0.1:" + port() + "/rules";
    }

    String tag() {
        return "\"" + version.get() + "-3fb2c1d0\"";
    }

    /** The same rules as a new version, which makes hosts report as soon as they have it. */
    void publish() {
        version.incrementAndGet();
    }

    private void giveRules(HttpExchange exchange) throws IOException {
        String tag = tag();
        Headers headers = exchange.getResponseHeaders();
        headers.set("ETag", tag);
        headers.set("RateLimit-Rules", version + ";published=" + (1_793_524_801_000L + version.get()));
        String named = link;
        if (named != null) {
            headers.set("Link", named);
        }
        if (tag.equals(exchange.getRequestHeaders().getFirst("If-None-Match"))) {
            exchange.sendResponseHeaders(304, -1);
        } else {
            byte[] text = rules.getBytes(UTF_8);
            exchange.sendResponseHeaders(200, text.length);
            exchange.getResponseBody().write(text);
        }
        exchange.close();
    }

    private void takeReport(HttpExchange exchange) throws IOException {
        reports.add(new Sent(
                exchange.getRequestHeaders(),
                new String(exchange.getRequestBody().readAllBytes(), UTF_8)));
        try {
            Thread.sleep(answersAfterMillis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
