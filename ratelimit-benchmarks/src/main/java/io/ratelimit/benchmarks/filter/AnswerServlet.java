package io.ratelimit.benchmarks.filter;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** The application: a text that takes no time, so that the filter is seen. */
final class AnswerServlet extends HttpServlet {

    static final String ANSWER = "an order";

    private static final long serialVersionUID = 1;

    private final byte[] answer = ANSWER.getBytes(StandardCharsets.US_ASCII);

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setContentType("text/plain;charset=utf-8");
        response.setContentLength(answer.length);
        response.getOutputStream().write(answer);
    }
}
