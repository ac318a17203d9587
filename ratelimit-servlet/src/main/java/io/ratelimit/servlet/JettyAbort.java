package io.ratelimit.servlet;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Jetty 12 aborts when the error -1 is sent, as its own filters do. */
final class JettyAbort implements ConnectionAbort {

    private static final int ABORT = -1;

    private final ContainerType ee10 = new ContainerType("org.eclipse.jetty.ee10.servlet.ServletApiResponse");
    private final ContainerType ee11 = new ContainerType("org.eclipse.jetty.ee11.servlet.ServletApiResponse");

    @Override
    public boolean abort(ServletRequest request, ServletResponse response) {
        if (ee10.of(response) == null && ee11.of(response) == null) {
            return false;
        }
        try {
            ((HttpServletResponse) response).sendError(ABORT);
            return true;
        } catch (IOException | RuntimeException e) {
            return false;
        }
    }
}
