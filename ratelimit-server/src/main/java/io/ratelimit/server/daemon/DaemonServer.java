package io.ratelimit.server.daemon;

import io.ratelimit.server.listen.EarlyAnswers;
import io.ratelimit.server.listen.HttpConnector;
import io.ratelimit.server.listen.Rehearsal;
import io.ratelimit.server.listen.SlowBodies;
import io.ratelimit.server.listen.StartFailures;
import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.unixdomain.server.UnixDomainServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A Jetty that speaks HTTP on a port and, if wanted, on a Unix domain socket, within limits of size and time. */
final class DaemonServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(DaemonServer.class);

    /** None of them waits: they are as many as are of use. */
    private static final int THREADS = Math.max(8, 2 * Runtime.getRuntime().availableProcessors() + 4);

    private static final int MOST_CONNECTIONS = 10_000;
    private static final long IDLE_MILLIS = 60_000;
    private static final long STOP_MILLIS = 2_000;

    /** Callers keep connections that they do not use; these end at once when the daemon leaves. */
    private static final long LEAVING_MILLIS = 250;

    private static final long LOOK_MILLIS = 5;

    /** In bytes a second: whoever sends slower holds a connection for nothing. */
    private static final long SLOWEST_BODY = 1_000;

    /** Of nginx, which passes on what clients send; it takes 32 KiB of them. */
    private static final int LARGEST_HEADER = 64 << 10;

    private final Server server;
    private final ServerConnector connector;
    private final @Nullable UnixDomainServerConnector local;
    private final @Nullable UnixSocket file;
    private final DaemonSettings settings;
    private boolean closed;

    private DaemonServer(
            Server server,
            ServerConnector connector,
            @Nullable UnixDomainServerConnector local,
            @Nullable UnixSocket file,
            DaemonSettings settings) {
        this.server = server;
        this.connector = connector;
        this.local = local;
        this.file = file;
        this.settings = settings;
    }

    /**
     * Sees whether it could listen, before there is an engine, which may have to say something of its own.
     *
     * @throws io.ratelimit.server.listen.ServerStartException if it cannot
     */
    static DaemonServer prepare(DaemonSettings settings) {
        QueuedThreadPool pool = new QueuedThreadPool(THREADS);
        pool.setName("daemon-http");
        Server server = new Server(pool);
        server.setStopTimeout(STOP_MILLIS);
        server.setErrorHandler(new UnreadableRequests());
        ServerConnector connector = new HttpConnector(settings.http()).of(server, http());
        limit(connector);
        new Rehearsal(settings.http()).run();
        if (settings.envoy() != null) {
            new Rehearsal(settings.envoy().place()).run();
        }
        if (settings.unixSocket() == null) {
            return new DaemonServer(server, connector, null, null, settings);
        }
        UnixSocket file = new UnixSocket(settings.unixSocket());
        file.clear();
        return new DaemonServer(server, connector, local(server), file, settings);
    }

    private static void limit(AbstractConnector connector) {
        connector.setIdleTimeout(IDLE_MILLIS);
        connector.setShutdownIdleTimeout(LEAVING_MILLIS);
    }

    private static HttpConfiguration http() {
        HttpConfiguration http = new HttpConfiguration();
        http.setRequestHeaderSize(LARGEST_HEADER);
        http.setSendServerVersion(false);
        return http;
    }

    private static UnixDomainServerConnector local(Server server) {
        UnixDomainServerConnector local = new UnixDomainServerConnector(server, new HttpConnectionFactory(http()));
        limit(local);
        return local;
    }

    /**
     * Answers at its port from now on, unless it was closed.
     *
     * @throws io.ratelimit.server.listen.ServerStartException if it cannot
     */
    synchronized void serve(Handler handler) {
        if (closed) {
            return;
        }
        SlowBodies timed = new SlowBodies(new EarlyAnswers(handler), SLOWEST_BODY);
        server.setHandler(new LastAnswers(timed));
        try {
            connector.open();
        } catch (IOException e) {
            throw new StartFailures(settings.http()).cannotListen(e);
        }
        server.addConnector(connector);
        server.addBean(new NetworkConnectionLimit(MOST_CONNECTIONS, connector));
        try {
            server.start();
        } catch (Exception e) {
            throw new StartFailures(settings.http()).cannotStart(e);
        }
    }

    /**
     * Answers at its Unix domain socket too, if there is to be one and it was not closed.
     *
     * @throws io.ratelimit.server.listen.ServerStartException if it cannot
     */
    synchronized void serveAtSocket() {
        if (closed || local == null || file == null) {
            return;
        }
        local.setUnixDomainPath(file.hide());
        server.addConnector(local);
        try {
            // A server that runs starts nothing that is added to it.
            NetworkConnectionLimit limit = new NetworkConnectionLimit(MOST_CONNECTIONS, local);
            server.addManaged(limit);
            local.start();
        } catch (Exception e) {
            throw file.cannot(String.valueOf(e.getMessage()), e);
        }
        file.show();
    }

    URI uri() {
        return settings.http().uri(connector.getLocalPort());
    }

    @Override
    public synchronized void close() {
        closed = true;
        takeLeave();
        try {
            server.stop();
        } catch (Exception e) {
            // What could not be stopped ends with the process.
            LOG.warn("The server could not be stopped in good order", e);
        }
        // One that was never started holds its port still.
        connector.close();
    }

    /** Lets callers end the connections that they use. The server's stop would break off an answer now and then. */
    private void takeLeave() {
        connector.close();
        if (file != null) {
            file.remove();
        }
        if (server.getHandler() instanceof LastAnswers answers) {
            answers.shutdown();
        }
        long begin = System.nanoTime();
        try {
            while (isConnected() && System.nanoTime() - begin < TimeUnit.MILLISECONDS.toNanos(LEAVING_MILLIS)) {
                Thread.sleep(LOOK_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isConnected() {
        return Arrays.stream(server.getConnectors())
                .anyMatch(each -> !each.getConnectedEndPoints().isEmpty());
    }
}
