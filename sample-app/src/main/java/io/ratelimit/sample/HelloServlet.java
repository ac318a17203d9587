package io.ratelimit.sample;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Greets. A plain servlet, which the rules limit by its path. */
public final class HelloServlet extends HttpServlet {

    private static final long serialVersionUID = 1;

    /** Made by the container. */
    public HelloServlet() {}

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setContentType("text/plain;charset=UTF-8");
        response.getWriter().println("Hello");
    }
}
