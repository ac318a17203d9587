package io.ratelimit.benchmarks.filter;

import java.util.List;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ContextHandlerCollection;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Jetty as it is, but for the number of threads. */
final class JettyServer implements FilterServer {

    private final Server server = new Server(threads());

    private static QueuedThreadPool threads() {
        QueuedThreadPool threads = new QueuedThreadPool(THREADS, THREADS);
        threads.setName(THREAD_NAME + "jetty");
        return threads;
    }

    @Override
    public int start(List<Application> applications) throws Exception {
        ServerConnector connector = new ServerConnector(server, 1, 1);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        ContextHandlerCollection contexts = new ContextHandlerCollection();
        for (Application application : applications) {
            ServletContextHandler context = new ServletContextHandler(application.contextPath());
            context.addServletContainerInitializer(application);
            contexts.addHandler(context);
        }
        server.setHandler(contexts);
        server.start();
        return connector.getLocalPort();
    }

    @Override
    public void stop() throws Exception {
        server.stop();
    }
}
