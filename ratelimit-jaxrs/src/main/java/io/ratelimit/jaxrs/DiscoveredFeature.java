package io.ratelimit.jaxrs;

import jakarta.annotation.PreDestroy;
import jakarta.ws.rs.container.DynamicFeature;
import jakarta.ws.rs.container.ResourceContext;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.Configuration;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.FeatureContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The {@link RateLimitFeature} that JAX-RS loads by itself. It stands back where the application registers one: of two
 * features of one class, implementations disagree on which one counts. Thread-safe.
 */
public final class DiscoveredFeature implements DynamicFeature, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RateLimitFeature.class);

    private final RateLimitFeature feature = new RateLimitFeature();
    private final StrayAnnotations stray = new StrayAnnotations();

    @Context
    private @Nullable ResourceContext injector;

    @Context
    private @Nullable Configuration configuration;

    /** Called by JAX-RS, which finds this class in {@code META-INF/services}. */
    public DiscoveredFeature() {}

    @Override
    public void configure(ResourceInfo resourceInfo, FeatureContext context) {
        reportStray();
        if (configuration == null || !configuration.isRegistered(RateLimitFeature.class)) {
            feature.inject(injector);
            feature.configure(resourceInfo, context);
        } else {
            configuration.getInstances().forEach(this::inject);
        }
    }

    private void reportStray() {
        try {
            stray.report(configuration);
        } catch (RuntimeException | LinkageError e) {
            LOG.debug("Annotations that are ignored could not be looked for", e);
        }
    }

    /** RESTEasy injects nothing into instances that the application hands in. */
    private void inject(Object registered) {
        if (registered instanceof RateLimitFeature theirs) {
            theirs.inject(injector);
        }
    }

    /** Closes the engine if this feature made it. */
    @Override
    @PreDestroy
    public void close() {
        feature.close();
    }
}
