package io.ratelimit.sample;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Tells a load balancer that this node answers. Its path is exempt from the rules. */
public final class HealthServlet extends HttpServlet {

    private static final long serialVersionUID = 1;

    /** Made by the container. */
    public HealthServlet() {}

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setContentType("text/plain;charset=UTF-8");
        response.getWriter().println("UP");
    }
}
