package io.ratelimit.servlet;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;

/**
 * Aborts the requests whose path ends in {@code /drop}, wrapped as other filters would have wrapped them, after the access log
 * has been given a status.
 */
final class AbortingFilter extends HttpFilter {

    private static final int REFUSED = 429;

    private final ConnectionAbort abort = new ContainerAbort();

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!request.getRequestURI().endsWith("/drop")) {
            chain.doFilter(request, response);
            return;
        }
        response.setStatus(REFUSED);
        response.setHeader("X-Told", "too early");
        if (!abort.abort(new HttpServletRequestWrapper(request), new HttpServletResponseWrapper(response))) {
            response.getWriter().write("refused");
        }
    }
}
