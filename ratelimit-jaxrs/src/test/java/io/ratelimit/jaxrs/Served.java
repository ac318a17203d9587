package io.ratelimit.jaxrs;

import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.http.HttpAnswers;
import io.ratelimit.core.http.HttpSettings;
import io.ratelimit.servlet.RateLimitFilter;
import jakarta.servlet.DispatcherType;
import jakarta.ws.rs.core.Application;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Consumer;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.jspecify.annotations.Nullable;

/** An application of JAX-RS in Jetty, and a client. */
final class Served implements AutoCloseable {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final Server server;
    private final Implementation implementation;
    private final int port;
    private final @Nullable RateLimitEngine engine;

    private Served(Server server, Implementation implementation, @Nullable RateLimitEngine engine) throws Exception {
        this.server = server;
        this.implementation = implementation;
        this.engine = engine;
        server.start();
        this.port = ((ServerConnector) server.getConnectors()[0]).getLocalPort();
    }

    /** The feature alone, with an engine handed in. */
    static Served alone(RateLimitEngine engine, Class<?>... components) throws Exception {
        Components application = Components.of(components).with(new RateLimitFeature(engine));
        return at("/", "/*", application, engine, handler -> {});
    }

    /** The feature as JAX-RS loads it, behind the filter. */
    static Served behindFilter(RateLimitEngine engine, Class<?>... components) throws Exception {
        return at("/", "/*", Components.of(components), engine, handler -> addFilter(handler, engine));
    }

    static void addFilter(ServletContextHandler handler, RateLimitEngine engine) {
        RateLimitFilter filter =
                new RateLimitFilter(engine, new HttpAnswers(HttpSettings.DEFAULT, engine.timeSource()));
        FilterHolder holder = new FilterHolder(filter);
        holder.setAsyncSupported(true);
        handler.addFilter(holder, "/*", EnumSet.allOf(DispatcherType.class));
    }

    static Served at(
            String contextPath,
            String mapping,
            Application application,
            @Nullable RateLimitEngine engine,
            Consumer<ServletContextHandler> more)
            throws Exception {
        Server server = new Server(0);
        ServletContextHandler handler = new ServletContextHandler(contextPath);
        Implementation implementation = Implementation.current();
        implementation.serve(application, handler, mapping).setAsyncSupported(true);
        more.accept(handler);
        server.setHandler(handler);
        return new Served(server, implementation, engine);
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send("GET", path, HttpRequest.BodyPublishers.noBody());
    }

    HttpResponse<String> send(String method, String path, HttpRequest.BodyPublisher body, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .method(method, body);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Asks, and leaves the answer to whoever reads it. */
    Socket connect(String path, String header) throws IOException {
        Socket socket = new Socket("127.0.0.1", port);
        String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + header + "\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    /** The statuses of so many requests. */
    List<Integer> statuses(int requests, String path) throws IOException, InterruptedException {
        List<Integer> statuses = new ArrayList<>();
        for (int i = 0; i < requests; i++) {
            statuses.add(get(path).statusCode());
        }
        return statuses;
    }

    @Override
    public void close() throws Exception {
        server.stop();
        implementation.end();
        if (engine != null) {
            engine.close();
        }
    }
}
