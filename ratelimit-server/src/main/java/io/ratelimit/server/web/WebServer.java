package io.ratelimit.server.web;

import com.google.common.base.Throwables;
import io.ratelimit.RateLimitListener;
import io.ratelimit.core.rules.RulesParser;
import io.ratelimit.servlet.RateLimitFilter;
import jakarta.servlet.DispatcherType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.URI;
import java.util.EnumSet;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.server.handler.MinimumDataRateHandler;
import org.eclipse.jetty.server.handler.SizeLimitHandler;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;
import org.jspecify.annotations.Nullable;
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
        ServerConnector connector = connector(server, settings.tls());
        connector.setHost(settings.host());
        connector.setPort(settings.port());
        connector.setIdleTimeout(IDLE_MILLIS);
        server.setHandler(limited(context(application, settings, ownLimits)));
        server.setStopTimeout(STOP_MILLIS);
        try {
            connector.open();
        } catch (IOException e) {
            throw new ServerStartException(whyDeaf(settings, e), e);
        }
        String scheme = settings.tls() == null ? "http" : "https";
        WebServer web = new WebServer(
                server,
                connector,
                URI.create(scheme + "://" + bracketed(settings.host()) + ":" + connector.getLocalPort()));
        try {
            server.start();
        } catch (Exception e) {
            web.close();
            throw new ServerStartException(whyNot(settings, e), e);
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

    private static String whyDeaf(ServerSettings settings, IOException failure) {
        String place = "cannot listen on " + settings.host() + " port " + settings.port();
        InetSocketAddress address = new InetSocketAddress(settings.host(), settings.port());
        if (address.isUnresolved()) {
            return place + ": there is no such host; give --host an address of this machine";
        }
        return isHere(address.getAddress())
                ? place + " (" + Throwables.getRootCause(failure).getMessage()
                        + "): stop what listens there, or give --port another"
                : place + ": this machine does not have that address; give --host one that it has, or 0.0.0.0 for all";
    }

    private static boolean isHere(InetAddress address) {
        try {
            return address.isAnyLocalAddress()
                    || address.isLoopbackAddress()
                    || NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            return true;
        }
    }

    private static String whyNot(ServerSettings settings, Exception failure) {
        TlsSettings tls = settings.tls();
        return tls != null && failure instanceof IOException
                ? "the keys in " + tls.keyStore() + " cannot be read (" + failure.getMessage()
                        + "): give a PKCS #12 file, and its password as RATELIMIT_TLS_PASSWORD"
                        + (tls.password().isEmpty() ? ", which is not set" : "")
                : "the server cannot be started: " + failure.getMessage();
    }

    private static Handler limited(Handler application) {
        SizeLimitHandler sized = new SizeLimitHandler(LARGEST_BODY, -1);
        sized.setHandler(new UnblockedWrites(application, UNSENT));
        MinimumDataRateHandler timed = new MinimumDataRateHandler(SLOWEST_BODY, 0);
        timed.setHandler(sized);
        return new GracefulHandler(timed);
    }

    private static ServerConnector connector(Server server, @Nullable TlsSettings tls) {
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        if (tls == null) {
            return new ServerConnector(server, new HttpConnectionFactory(http));
        }
        http.addCustomizer(new SecureRequestCustomizer(false));
        SslContextFactory.Server certificate = new SslContextFactory.Server();
        certificate.setKeyStorePath(tls.keyStore().toString());
        certificate.setKeyStoreType("PKCS12");
        certificate.setKeyStorePassword(tls.password());
        // The keys are read with the server's start, before anything listens.
        server.addBean(certificate);
        return new ServerConnector(
                server, new SslConnectionFactory(certificate, "http/1.1"), new HttpConnectionFactory(http));
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

    private static String bracketed(String host) {
        return host.contains(":") ? "[" + host + "]" : host;
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
