package io.ratelimit.jaxrs;

import jakarta.ws.rs.core.Application;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;

final class JerseyImplementation implements Implementation {

    @Override
    public ServletHolder serve(Application application, ServletContextHandler handler, String mapping) {
        ServletHolder holder = new ServletHolder(new ServletContainer(ResourceConfig.forApplication(application)));
        handler.addServlet(holder, mapping);
        return holder;
    }

    @Override
    public boolean endsProviders() {
        return true;
    }
}
