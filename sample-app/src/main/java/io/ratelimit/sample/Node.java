package io.ratelimit.sample;

import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.http.HttpEngine;
import io.ratelimit.hazelcast.HazelcastBucketStore;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.net.URL;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.eclipse.jetty.ee11.webapp.WebAppContext;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.resource.ResourceFactory;

/** One host of the service: a Jetty with the web application. */
final class Node {

    private static final String HOST = "127.0.0.1";

    /** What is under way when the node stops has this long to end; all of it must be over within five seconds. */
    private static final long STOP_MILLIS = 1_500;

    private static final String WEB_XML = "WEB-INF/web.xml";

    private final Server server;
    private final WebAppContext application;
    private final int port;

    private Node(Server server, WebAppContext application, int port) {
        this.server = server;
        this.application = application;
        this.port = port;
    }

    /**
     * Makes a node and takes its port. Connections wait there until the node is started.
     *
     * @throws StartException if the port is taken
     */
    static Node open(int port) {
        Server server = new Server();
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        ServerConnector connector = new ServerConnector(server, new HttpConnectionFactory(http));
        connector.setHost(HOST);
        connector.setPort(port);
        server.addConnector(connector);
        WebAppContext application = application(server);
        server.setHandler(new GracefulHandler(application));
        server.setStopTimeout(STOP_MILLIS);
        try {
            connector.open();
        } catch (IOException e) {
            throw new StartException(
                    "port " + port + " cannot be opened: stop what listens there, or give --port another", e);
        }
        return new Node(server, application, port);
    }

    /**
     * Starts the node.
     *
     * @param settings the limiter's settings, by the names that {@code ratelimit.NAME} has in {@code web.xml}
     * @throws StartException if a setting has no valid value
     * @throws Exception if the application cannot be started
     */
    void start(Map<String, String> settings) throws Exception {
        // The nodes of this process share one registry of meters.
        application.setInitParameter("ratelimit.metrics", "node=" + port);
        settings.forEach((name, value) -> application.setInitParameter("ratelimit." + name, value));
        try {
            server.start();
        } catch (ServletException e) {
            if (e.getCause() instanceof IllegalArgumentException wrong) {
                throw new StartException(String.valueOf(wrong.getMessage()), e);
            }
            throw e;
        }
    }

    /** Where the node's member of the cluster listens; nothing where the node goes alone. */
    Optional<HostAndPort> member() {
        return engine().map(RateLimitEngine::sharedStore)
                .filter(HazelcastBucketStore.class::isInstance)
                .map(store -> HostAndPort.parse(((HazelcastBucketStore) store).memberAddress()));
    }

    private Optional<RateLimitEngine> engine() {
        return application.getServletContext().getAttribute(HttpEngine.ATTRIBUTE) instanceof HttpEngine http
                ? Optional.of(http.engine())
                : Optional.empty();
    }

    /**
     * Stops the node: its port is free, its member has left.
     *
     * @throws Exception if something could not be stopped
     */
    void stop() throws Exception {
        // What has not started closes itself.
        if (!server.isFailed()) {
            server.stop();
        }
    }

    String url() {
        return "http://" + HOST + ":" + port;
    }

    private static WebAppContext application(Server server) {
        WebAppContext context = new WebAppContext();
        context.setContextPath("/");
        context.setBaseResource(ResourceFactory.of(server).newResource(webapp()));
        // The application's classes are the sample's own: there is nothing to shield them from.
        context.setClassLoader(Node.class.getClassLoader());
        context.setInitParameter("org.eclipse.jetty.servlet.Default.dirAllowed", "false");
        context.setThrowUnavailableOnStartupException(true);
        return context;
    }

    /** The directory that holds {@code WEB-INF}, in the jar or among the classes. */
    private static String webapp() {
        URL descriptor = Objects.requireNonNull(Node.class.getResource("/webapp/" + WEB_XML), "the web application");
        String location = descriptor.toExternalForm();
        return location.substring(0, location.length() - WEB_XML.length());
    }
}
