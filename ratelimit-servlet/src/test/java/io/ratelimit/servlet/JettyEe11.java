package io.ratelimit.servlet;

import java.util.Set;
import org.eclipse.jetty.ee11.webapp.MetaInfConfiguration;
import org.eclipse.jetty.ee11.webapp.WebAppContext;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** Jetty with Jakarta EE 11. */
final class JettyEe11 implements WebContainer {

    private final Server server = new Server();

    @Override
    public int start(WebApplication application) throws Exception {
        ServerConnector connector = new ServerConnector(server, 1, 1);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        WebAppContext context = new WebAppContext();
        context.setContextPath(application.contextPath().isEmpty() ? "/" : application.contextPath());
        context.setBaseResourceAsPath(application.unpack());
        context.setAttribute(MetaInfConfiguration.CONTAINER_JAR_PATTERN, ".*/ratelimit-servlet/target/classes/");
        context.setThrowUnavailableOnStartupException(true);
        context.addServletContainerInitializer((Set<Class<?>> classes, jakarta.servlet.ServletContext servletContext) ->
                application.onStart().accept(servletContext));
        server.setHandler(context);
        server.start();
        return connector.getLocalPort();
    }

    @Override
    public void close() throws Exception {
        server.stop();
    }
}
