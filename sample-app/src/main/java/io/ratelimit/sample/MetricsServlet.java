package io.ratelimit.sample;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;

/**
 * The meters of all nodes of this process in Prometheus' text format. A real service would not show them to everybody.
 */
public final class MetricsServlet extends HttpServlet {

    private static final long serialVersionUID = 1;

    private static final String FORMAT = "text/plain; version=0.0.4; charset=utf-8";

    /** Made by the container. */
    public MetricsServlet() {}

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setContentType(FORMAT);
        Optional<PrometheusMeterRegistry> registry = Meters.registry();
        if (registry.isPresent()) {
            registry.get().scrape(response.getOutputStream(), FORMAT);
        }
    }
}
