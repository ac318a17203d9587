package io.ratelimit.jaxrs;

import jakarta.ws.rs.core.Application;
import java.util.Optional;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;

/** The implementation of JAX-RS that is on the class path of this run. */
interface Implementation {

    /** Adds the servlet that serves an application. */
    ServletHolder serve(Application application, ServletContextHandler handler, String mapping);

    /** Ends what {@link #serve} began and the server does not end. */
    default void end() {}

    /** Whether it tells providers that the application ends. */
    boolean endsProviders();

    static Implementation current() {
        return Optional.ofNullable(System.getProperty("jaxrs"))
                .filter("resteasy"::equals)
                .<Implementation>map(named -> new ResteasyImplementation())
                .orElseGet(JerseyImplementation::new);
    }
}
