package io.ratelimit.jaxrs;

import jakarta.ws.rs.container.ResourceContext;
import org.jspecify.annotations.Nullable;

/**
 * Finds out, at the first request, whether the application runs in a servlet container: JAX-RS injects what it knows
 * only once it has started. Thread-safe.
 */
final class Exchanges {

    private volatile @Nullable Exchange found;

    Exchange find(@Nullable ResourceContext injector) {
        Exchange known = found;
        if (known == null) {
            known = injector == null ? new PlainExchange() : inject(injector);
            found = known;
        }
        return known;
    }

    /** The Servlet API may be missing, or be there without a container that injects it. */
    private static Exchange inject(ResourceContext injector) {
        try {
            ServletExchange exchange = injector.initResource(new ServletExchange());
            return exchange.isServed() ? exchange : new PlainExchange();
        } catch (RuntimeException | LinkageError withoutServlets) {
            return new PlainExchange();
        }
    }
}
