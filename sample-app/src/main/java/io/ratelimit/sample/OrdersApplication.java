package io.ratelimit.sample;

import jakarta.ws.rs.core.Application;
import java.util.Map;
import java.util.Set;

/** The resources below {@code /api}. */
public final class OrdersApplication extends Application {

    /** Made by Jersey. */
    public OrdersApplication() {}

    @Override
    public Set<Class<?>> getClasses() {
        return Set.of(OrdersResource.class, ReportsResource.class, ExportsResource.class);
    }

    @Override
    public Map<String, Object> getProperties() {
        // Its description of itself would need JAXB.
        return Map.of("jersey.config.server.wadl.disableWadl", true);
    }
}
