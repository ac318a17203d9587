package io.ratelimit.jaxrs;

import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.http.HttpAnswers;
import io.ratelimit.core.http.HttpSettings;
import io.ratelimit.servlet.RateLimitFilter;
import jakarta.servlet.DispatcherType;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Consumer;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;
import org.jspecify.annotations.Nullable;

/** An application of Jersey in Jetty, and a client. */
final class Served implements AutoCloseable {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final Server server;
    private final int port;
    private final @Nullable RateLimitEngine engine;

    private Served(Server server, @Nullable RateLimitEngine engine) throws Exception {
        this.server = server;
        this.engine = engine;
        server.start();
        this.port = ((ServerConnector) server.getConnectors()[0]).getLocalPort();
    }

    /** The feature alone, with an engine handed in. */
    static Served alone(RateLimitEngine engine, Class<?>... components) throws Exception {
        ResourceConfig config = new ResourceConfig(components).register(new RateLimitFeature(engine));
        return at("/", "/*", config, engine, handler -> {});
    }

    /** The feature as JAX-RS loads it, behind the filter. */
    static Served behindFilter(RateLimitEngine engine, Class<?>... components) throws Exception {
        return at("/", "/*", new ResourceConfig(components), engine, handler -> addFilter(handler, engine));
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
            ResourceConfig config,
            @Nullable RateLimitEngine engine,
            Consumer<ServletContextHandler> more)
            throws Exception {
        Server server = new Server(0);
        ServletContextHandler handler = new ServletContextHandler(contextPath);
        ServletHolder holder = new ServletHolder(new ServletContainer(config));
        holder.setAsyncSupported(true);
        handler.addServlet(holder, mapping);
        more.accept(handler);
        server.setHandler(handler);
        return new Served(server, engine);
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
        if (engine != null) {
            engine.close();
        }
    }
}
