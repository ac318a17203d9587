package io.ratelimit.server.web;

import io.ratelimit.RateLimitListener;
import io.ratelimit.core.rules.RulesParser;
import io.ratelimit.server.listen.EarlyAnswers;
import io.ratelimit.server.listen.HttpConnector;
import io.ratelimit.server.listen.Listening;
import io.ratelimit.server.listen.ServerStartException;
import io.ratelimit.server.listen.SlowBodies;
import io.ratelimit.server.listen.StartFailures;
import io.ratelimit.servlet.RateLimitFilter;
import jakarta.servlet.DispatcherType;
import java.io.IOException;
import java.net.URI;
import java.util.EnumSet;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.server.handler.SizeLimitHandler;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A Jetty with the application in it, behind our own filter and limits of size and time. */
final class WebServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WebServer.class);

    /** Several times the bodies of one address that may come at once. */
    private static final int THREADS = 200;

    private static final long IDLE_MILLIS = 30_000;
    private static final long STOP_MILLIS = 1_500;

    /** In bytes a second: whoever sends slower holds a thread for nothing. */
    private static final long SLOWEST_BODY = 1_000;

    /** Rules, and what JSON and forms put around them. */
    private static final long LARGEST_BODY = 3L * RulesParser.MOST_BYTES;

    /** So much of answers may wait for clients that are slow to read them. */
    private static final long UNSENT = Runtime.getRuntime().maxMemory() / 8;

    private final Server server;
    private final ServerConnector connector;
    private final URI uri;

    private WebServer(Server server, ServerConnector connector, URI uri) {
        this.server = server;
        this.connector = connector;
        this.uri = uri;
    }

    /**
     * Does all that may fail: takes the port, reads the keys, begins the application. Who connects has to wait.
     *
     * @throws ServerStartException if any of it fails
     */
    static WebServer prepare(ServerSettings settings, ResourceConfig application, RateLimitListener ownLimits) {
        QueuedThreadPool pool = new QueuedThreadPool(THREADS);
        pool.setName("rules-http");
        Server server = new Server(pool);
        Listening listening = settings.listening();
        ServerConnector connector = new HttpConnector(listening).of(server, new HttpConfiguration());
        connector.setIdleTimeout(IDLE_MILLIS);
        server.setHandler(limited(context(application, settings, ownLimits)));
        server.setStopTimeout(STOP_MILLIS);
        try {
            connector.open();
        } catch (IOException e) {
            throw new StartFailures(listening).cannotListen(e);
        }
        WebServer web = new WebServer(server, connector, listening.uri(connector.getLocalPort()));
        try {
            server.start();
        } catch (Exception e) {
            web.close();
            throw new StartFailures(listening).cannotStart(e);
        }
        return web;
    }

    /** Answers from now on. */
    void serve() {
        server.addConnector(connector);
        try {
            connector.start();
        } catch (Exception e) {
            throw new ServerStartException("the server cannot be started: " + e.getMessage(), e);
        }
    }

    private static Handler limited(Handler application) {
        SizeLimitHandler sized = new SizeLimitHandler(LARGEST_BODY, -1);
        sized.setHandler(new UnblockedWrites(application, UNSENT));
        SlowBodies timed = new SlowBodies(new EarlyAnswers(sized), SLOWEST_BODY);
        return new GracefulHandler(timed);
    }

    private static ServletContextHandler context(
            ResourceConfig application, ServerSettings settings, RateLimitListener ownLimits) {
        ServletContextHandler context = new ServletContextHandler();
        context.setContextPath("/");
        FilterHolder limits = new FilterHolder(RateLimitFilter.builder()
                .rules(new OwnLimits(settings.trustedProxies()))
                .listener(ownLimits)
                .build());
        limits.setAsyncSupported(true);
        context.addFilter(limits, "/*", EnumSet.of(DispatcherType.REQUEST));
        ServletHolder jersey = new ServletHolder(new ServletContainer(application));
        jersey.setAsyncSupported(true);
        jersey.setInitOrder(1);
        context.addServlet(jersey, "/*");
        return context;
    }

    URI uri() {
        return uri;
    }

    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception e) {
            // What could not be stopped ends with the process.
            LOG.warn("The server could not be stopped in good order", e);
        }
        // One that was never started holds its port still.
        connector.close();
    }
}
