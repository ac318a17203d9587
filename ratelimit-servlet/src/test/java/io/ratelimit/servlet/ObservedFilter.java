package io.ratelimit.servlet;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;

/** Remembers why a filter did not start, which containers tell in words of their own. */
record ObservedFilter(Filter filter, AtomicReference<Throwable> fault) implements Filter {

    @Override
    public void init(FilterConfig config) throws ServletException {
        try {
            filter.init(config);
        } catch (ServletException e) {
            fault.set(e);
            throw e;
        }
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        filter.doFilter(request, response, chain);
    }

    @Override
    public void destroy() {
        filter.destroy();
    }
}
