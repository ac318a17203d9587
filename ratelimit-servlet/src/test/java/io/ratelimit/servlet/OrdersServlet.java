package io.ratelimit.servlet;

import io.ratelimit.Decision;
import io.ratelimit.Settlement;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** An application that does with a request what the last segment of its path says. */
public final class OrdersServlet extends HttpServlet {

    /** How often the application ran for a client's request, dispatches not counted. */
    static final AtomicInteger SERVED = new AtomicInteger();

    /** A permit lets a held request go on. */
    static final Semaphore HELD = new Semaphore(0);

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        if (request.getDispatcherType() == DispatcherType.REQUEST) {
            SERVED.incrementAndGet();
        }
        String uri = request.getServletPath() + (request.getPathInfo() == null ? "" : request.getPathInfo());
        switch (uri.substring(uri.lastIndexOf('/') + 1)) {
            case "forward" -> request.getRequestDispatcher("/plain").forward(request, response);
            case "include" -> include(request, response);
            case "async" -> async(request);
            case "timeout" -> request.startAsync().setTimeout(50);
            case "missing" -> response.sendError(404);
            case "throws" -> throw new IllegalStateException("thrown by the application");
            case "early" -> early(response);
            case "costly" -> settlement(request).confirm(5);
            case "refunded" -> settlement(request).refund();
            case "held" -> held(response);
            case "form" -> form(request, response);
            case "latin" -> latin(request, response);
            case "body" -> body(request, response);
            case "port" -> response.getWriter().print(request.getRemotePort());
            case "error" -> response.getWriter().write("error page");
            default -> response.getWriter().write("session " + (request.getSession(false) != null));
        }
    }

    private static Settlement settlement(HttpServletRequest request) {
        return ((Decision) request.getAttribute(Decision.ATTRIBUTE)).settlement();
    }

    private static void include(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        if (request.getDispatcherType() == DispatcherType.INCLUDE) {
            response.getWriter().write("part;");
            return;
        }
        for (int i = 0; i < 3; i++) {
            request.getRequestDispatcher("/include").include(request, response);
        }
    }

    private static void async(HttpServletRequest request) {
        AsyncContext async = request.startAsync();
        async.start(() -> async.dispatch("/plain"));
    }

    private static void held(HttpServletResponse response) throws IOException {
        HELD.acquireUninterruptibly();
        response.getWriter().write("held");
    }

    private static void early(HttpServletResponse response) throws IOException {
        response.getWriter().write("early");
        response.flushBuffer();
    }

    private static void form(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setCharacterEncoding("UTF-8");
        response.getWriter().write(String.valueOf(request.getParameter("login")));
    }

    private static void latin(HttpServletRequest request, HttpServletResponse response) throws IOException {
        request.setCharacterEncoding("ISO-8859-1");
        form(request, response);
    }

    private static void body(HttpServletRequest request, HttpServletResponse response) throws IOException {
        int length = request.getInputStream().readAllBytes().length;
        response.getWriter().write(Integer.toString(length));
    }
}
