package io.ratelimit.core.retrieve;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A rules service that numbers its versions and pushes them, or does whatever else a test wants at its events. */
final class PushingService implements AutoCloseable {

    final List<Headers> polls = new CopyOnWriteArrayList<>();
    final List<Headers> listened = new CopyOnWriteArrayList<>();

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final HttpServer server;
    private final AtomicInteger version = new AtomicInteger(17);

    volatile @Nullable String link = "</events>; rel=\"events\", </reports>; rel=\"reports\"";
    volatile Events events = this::serve;

    PushingService() throws IOException {
        this(0);
    }

    PushingService(int port) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setExecutor(threads);
        server.createContext("/rules", exchange -> {
            polls.add(exchange.getRequestHeaders());
            answer(exchange);
            exchange.close();
        });
        server.createContext("/events", exchange -> {
            listened.add(exchange.getRequestHeaders());
            events.give(exchange);
            exchange.close();
        });
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

    int listeners() {
        return listeners.size();
    }

    void publish() {
        version.incrementAndGet();
        listeners.forEach(listener -> listener.tell(event(tag())));
    }

    /** Without a word to those who listen. */
    void publishSilently() {
        version.incrementAndGet();
    }

    void tell(String text) {
        listeners.forEach(listener -> listener.tell(text));
    }

    /** Ends all streams, as a restart does. */
    void hangUp() {
        listeners.forEach(listener -> listener.over.countDown());
    }

    static String event(String tag) {
        return "id: 17\nevent: published\ndata: {\"version\":17,\"tag\":\"" + tag.replace("\"", "\\\"") + "\"}\n\n";
    }

    /** Answers with a stream that begins with the present version. */
    void serve(HttpExchange exchange) throws IOException {
        OutputStream out = open(exchange);
        Listener listener = new Listener(out);
        listeners.add(listener);
        listener.tell(event(tag()));
        try {
            listener.over.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            listeners.remove(listener);
        }
    }

    static OutputStream open(HttpExchange exchange) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream; charset=utf-8");
        exchange.sendResponseHeaders(200, 0);
        return exchange.getResponseBody();
    }

    private void answer(HttpExchange exchange) throws IOException {
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
            return;
        }
        byte[] rules = ("service: orders\nrules: [{ name: all, limits: [" + version + "/h] }]\n").getBytes(UTF_8);
        exchange.sendResponseHeaders(200, rules.length);
        exchange.getResponseBody().write(rules);
    }

    @Override
    public void close() {
        hangUp();
        server.stop(0);
        threads.shutdownNow();
    }

    interface Events {
        void give(HttpExchange exchange) throws IOException;
    }

    private static final class Listener {

        private final CountDownLatch over = new CountDownLatch(1);
        private final OutputStream out;

        Listener(OutputStream out) {
            this.out = out;
        }

        synchronized void tell(String text) {
            try {
                out.write(text.getBytes(UTF_8));
                out.flush();
            } catch (IOException e) {
                // The host has hung up.
                over.countDown();
            }
        }
    }
}
