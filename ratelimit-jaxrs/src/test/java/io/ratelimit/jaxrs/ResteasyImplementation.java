package io.ratelimit.jaxrs;

import jakarta.enterprise.inject.spi.CDI;
import jakarta.ws.rs.core.Application;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.jboss.resteasy.core.ResteasyDeploymentImpl;
import org.jboss.resteasy.plugins.server.servlet.HttpServletDispatcher;
import org.jboss.resteasy.spi.ResteasyDeployment;

final class ResteasyImplementation implements Implementation {

    private final ResteasyDeployment deployment = new ResteasyDeploymentImpl();

    @Override
    public ServletHolder serve(Application application, ServletContextHandler handler, String mapping) {
        deployment.setApplication(application);
        if (isInCdi()) {
            deployment.setInjectorFactoryClass("org.jboss.resteasy.cdi.CdiInjectorFactory");
        }
        deployment.start();
        handler.setAttribute(ResteasyDeployment.class.getName(), deployment);
        ServletHolder holder = new ServletHolder(new HttpServletDispatcher());
        holder.setInitParameter("resteasy.servlet.mapping.prefix", mapping.substring(0, mapping.length() - 2));
        handler.addServlet(holder, mapping);
        return holder;
    }

    private static boolean isInCdi() {
        try {
            return CDI.current().getBeanManager() != null;
        } catch (IllegalStateException withoutContainer) {
            return false;
        }
    }

    @Override
    public void end() {
        deployment.stop();
    }

    @Override
    public boolean endsProviders() {
        return false;
    }
}
