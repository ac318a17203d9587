package io.ratelimit.sample;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/** Serves one rules document, with an entity tag. */
final class RulesServer implements AutoCloseable {

    private final HttpServer server;
    private final AtomicInteger unchanged = new AtomicInteger();
    private volatile String document;

    RulesServer(String document) {
        this.document = document;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/rules", this::answer);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/rules";
    }

    void serve(String next) {
        document = next;
    }

    /** How often the answer was that nothing has changed. */
    int unchanged() {
        return unchanged.get();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = document.getBytes(StandardCharsets.UTF_8);
            String tag = "\"" + document.hashCode() + "\"";
            exchange.getResponseHeaders().set("ETag", tag);
            exchange.getResponseHeaders().set("Content-Type", "application/yaml");
            if (tag.equals(exchange.getRequestHeaders().getFirst("If-None-Match"))) {
                unchanged.incrementAndGet();
                exchange.sendResponseHeaders(304, -1);
            } else {
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
