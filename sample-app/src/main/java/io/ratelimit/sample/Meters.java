package io.ratelimit.sample;

import io.micrometer.core.instrument.Metrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Gives this process a registry of meters that Prometheus can read, before the filter starts: meters do not tell a later
 * one what they have counted.
 */
public final class Meters implements ServletContextListener {

    private @Nullable PrometheusMeterRegistry made;

    /** Made by the container. */
    public Meters() {}

    @Override
    public void contextInitialized(ServletContextEvent event) {
        if (registry().isEmpty()) {
            made = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
            Metrics.addRegistry(made);
        }
    }

    /** The registry that the first node of the process has made. */
    static Optional<PrometheusMeterRegistry> registry() {
        return Metrics.globalRegistry.getRegistries().stream()
                .filter(PrometheusMeterRegistry.class::isInstance)
                .map(PrometheusMeterRegistry.class::cast)
                .findFirst();
    }

    @Override
    public void contextDestroyed(ServletContextEvent event) {
        PrometheusMeterRegistry own = made;
        if (own != null) {
            Metrics.removeRegistry(own);
            own.close();
        }
    }
}
