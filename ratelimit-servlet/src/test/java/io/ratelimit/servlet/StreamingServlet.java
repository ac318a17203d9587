package io.ratelimit.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/** An application that answers in the ways in which header fields are lost most easily. */
public final class StreamingServlet extends HttpServlet {

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        switch (request.getServletPath() + (request.getPathInfo() == null ? "" : request.getPathInfo())) {
            case "/unchanged" -> unchanged(response);
            case "/stream" -> stream(response);
            case "/events" -> events(request, response);
            case "/reset" -> reset(response);
            default -> response.getWriter().write("plain");
        }
    }

    private static void unchanged(HttpServletResponse response) {
        response.setHeader("ETag", "\"1\"");
        response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
    }

    private static void stream(HttpServletResponse response) throws IOException {
        OutputStream out = response.getOutputStream();
        for (int i = 0; i < 20; i++) {
            out.write(new byte[10_000]);
            response.flushBuffer();
        }
    }

    private static void events(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setContentType("text/event-stream;charset=utf-8");
        response.flushBuffer();
        AsyncContext async = request.startAsync();
        async.start(() -> {
            try {
                async.getResponse().getWriter().write("data: one\n\ndata: two\n\n");
                async.getResponse().flushBuffer();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } finally {
                async.complete();
            }
        });
    }

    /** Takes back the body that it had begun, and keeps status and fields. */
    private static void reset(HttpServletResponse response) throws IOException {
        response.getWriter().write("begun");
        response.resetBuffer();
    }
}
