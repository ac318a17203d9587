package io.ratelimit.servlet;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands before the limiter, and counts who is served by now, refused, or in line. */
public final class Entrance extends HttpFilter {

    static final AtomicInteger DECIDED = new AtomicInteger();

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        chain.doFilter(request, response);
        DECIDED.incrementAndGet();
    }
}
