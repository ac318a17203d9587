package io.ratelimit.server.web;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.ratelimit.RateLimitListener;
import io.ratelimit.core.metrics.MicrometerListener;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.container.PreMatching;
import java.time.Duration;
import java.util.function.Supplier;

/** The service's meters, as Prometheus reads them. Times each request until its answer is ready. Thread-safe. */
@PreMatching
final class ServiceMeters implements ContainerRequestFilter, ContainerResponseFilter, AutoCloseable {

    private static final String BEGIN = "io.ratelimit.server.web.begin";
    private static final int HUNDRED = 100;

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics collections = new JvmGcMetrics();

    ServiceMeters() {
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        collections.bindTo(registry);
    }

    /** Counts what the service's own limits do. */
    RateLimitListener ownLimits() {
        return new MicrometerListener(registry);
    }

    void gauge(String name, String description, Supplier<Number> value) {
        Gauge.builder(name, value).description(description).register(registry);
    }

    String scrape() {
        return registry.scrape();
    }

    @Override
    public void filter(ContainerRequestContext request) {
        request.setProperty(BEGIN, System.nanoTime());
    }

    /** By method and kind of status: paths hold names, of which there may be very many. */
    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        if (request.getProperty(BEGIN) instanceof Long begin) {
            Timer.builder("ratelimit.service.requests")
                    .description("Time of a request until its answer is ready")
                    .tag("method", known(request.getMethod()))
                    .tag("status", response.getStatus() / HUNDRED + "xx")
                    .register(registry)
                    .record(Duration.ofNanos(System.nanoTime() - begin));
        }
    }

    private static String known(String method) {
        return switch (method) {
            case "GET", "HEAD", "PUT", "POST", "DELETE" -> method;
            default -> "other";
        };
    }

    @Override
    public void close() {
        collections.close();
        registry.close();
    }
}
