package io.ratelimit.benchmarks.filter;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Sets as many header fields as ours, always the same: what the container itself makes of them. */
final class FiveFields implements Filter {

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        HttpServletResponse answer = (HttpServletResponse) response;
        answer.setHeader("RateLimit-Policy", "\"everyone\";q=1000000000;w=1");
        answer.setHeader("RateLimit", "\"everyone\";r=999999999;t=1");
        answer.setHeader("X-RateLimit-Limit", "1000000000");
        answer.setHeader("X-RateLimit-Remaining", "999999999");
        answer.setHeader("X-RateLimit-Reset", "1793524801");
        chain.doFilter(request, response);
    }
}
