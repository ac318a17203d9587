package io.ratelimit.servlet;

import java.util.Set;
import org.eclipse.jetty.ee11.webapp.MetaInfConfiguration;
import org.eclipse.jetty.ee11.webapp.WebAppContext;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ContextHandlerCollection;

/** Jetty with Jakarta EE 11. */
final class JettyEe11 implements WebContainer {

    private final Server server = new Server();

    @Override
    public int start(WebApplication... applications) throws Exception {
        HttpConfiguration http = new HttpConfiguration();
        ServerConnector connector = new ServerConnector(
                server, 1, 1, new HttpConnectionFactory(http), new HTTP2CServerConnectionFactory(http));
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        ContextHandlerCollection contexts = new ContextHandlerCollection();
        for (WebApplication application : applications) {
            contexts.addHandler(context(application));
        }
        server.setHandler(contexts);
        server.start();
        return connector.getLocalPort();
    }

    private static WebAppContext context(WebApplication application) throws Exception {
        WebAppContext context = new WebAppContext();
        context.setContextPath(application.contextPath().isEmpty() ? "/" : application.contextPath());
        context.setBaseResourceAsPath(application.unpack());
        context.setAttribute(MetaInfConfiguration.CONTAINER_JAR_PATTERN, ".*/ratelimit-servlet/target/classes/");
        context.setThrowUnavailableOnStartupException(true);
        context.addServletContainerInitializer((Set<Class<?>> classes, jakarta.servlet.ServletContext servletContext) ->
                application.onStart().accept(servletContext));
        return context;
    }

    @Override
    public void endApplications() throws Exception {
        server.getHandler().stop();
    }

    @Override
    public void close() throws Exception {
        server.stop();
    }
}
