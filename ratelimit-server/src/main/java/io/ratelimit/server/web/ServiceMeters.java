package io.ratelimit.server.web;

import io.micrometer.core.instrument.Timer;
import io.ratelimit.RateLimitListener;
import io.ratelimit.core.metrics.MicrometerListener;
import io.ratelimit.server.meters.ProcessMeters;
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

    private final ProcessMeters process = new ProcessMeters();

    /** Counts what the service's own limits do. */
    RateLimitListener ownLimits() {
        return new MicrometerListener(process.registry());
    }

    void gauge(String name, String description, Supplier<Number> value) {
        process.gauge(name, description, value);
    }

    String scrape() {
        return process.scrape();
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
                    .register(process.registry())
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
        process.close();
    }
}
