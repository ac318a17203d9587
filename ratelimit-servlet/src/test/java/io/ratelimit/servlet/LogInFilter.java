package io.ratelimit.servlet;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;

/** Believes the name and the role in headers, and wraps the request as security filters do. */
public final class LogInFilter extends HttpFilter {

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        String name = request.getHeader("X-Test-User");
        HttpServletRequest wrapped = new HttpServletRequestWrapper(request) {
            @Override
            public Principal getUserPrincipal() {
                return name == null ? null : () -> name;
            }

            @Override
            public boolean isUserInRole(String role) {
                return role.equals(getHeader("X-Test-Role"));
            }
        };
        chain.doFilter(wrapped, response);
    }
}
