package io.ratelimit.servlet;

import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.http.HttpEngine;
import io.ratelimit.core.http.OperatorAnswer;
import io.ratelimit.core.http.OperatorAnswers;
import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells operators over HTTP how things stand with the limiter of an application ({@code …/status}) and what it makes of a
 * request ({@code …/explain}). Declared and mapped in {@code web.xml}, and there nowhere else: without a mapping nobody
 * can ask. Init-params say who may: {@code role}, a role of the container's users, and {@code addresses}, addresses and
 * networks separated by commas; both must hold where both are given, and <strong>without either everybody is
 * refused</strong>. Charges nothing, and shows no secret of a request. Thread-safe.
 */
public final class RateLimitStatusServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    private static final Logger LOG = LoggerFactory.getLogger(RateLimitStatusServlet.class);

    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST");
    private static final String DESCRIPTION = "request";
    private static final int LONGEST_DESCRIPTION = 16_384;

    private transient @Nullable OperatorGuard guard;

    /** Made by the container. */
    public RateLimitStatusServlet() {}

    /**
     * Reads the init-params.
     *
     * @param config the servlet's init-params
     * @throws ServletException if one is unknown or has no valid value; the message names it and says what would be right
     */
    @Override
    public void init(ServletConfig config) throws ServletException {
        super.init(config);
        Map<String, String> params = new LinkedHashMap<>();
        for (String name : Collections.list(config.getInitParameterNames())) {
            params.put(name, config.getInitParameter(name));
        }
        OperatorGuard made;
        try {
            made = OperatorGuard.parse(params);
        } catch (IllegalArgumentException e) {
            throw new ServletException("Servlet '" + config.getServletName() + "': " + e.getMessage(), e);
        }
        if (made.knowsNobody()) {
            LOG.warn(
                    "Servlet '{}' refuses everybody: set its init-param role or addresses to those who may ask",
                    config.getServletName());
        }
        guard = made;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        OperatorAnswer answer = answer(request);
        response.setStatus(answer.status());
        if (answer.status() == HttpServletResponse.SC_METHOD_NOT_ALLOWED) {
            response.setHeader("Allow", "GET, HEAD, POST");
        }
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setContentType(answer.contentType());
        response.setContentLength(answer.body().length);
        if (!request.getMethod().equals("HEAD")) {
            response.getOutputStream().write(answer.body());
        }
    }

    private OperatorAnswer answer(HttpServletRequest request) throws IOException {
        OperatorAnswers answers = OperatorAnswers.preferredBy(Collections.list(request.getHeaders("Accept")));
        if (!Objects.requireNonNull(guard).admits(request)) {
            return answers.problem(403, "Forbidden", "Operators only.");
        }
        if (!METHODS.contains(request.getMethod())) {
            return answers.problem(405, "Method Not Allowed", "Ask by GET or POST.");
        }
        RateLimitEngine engine = engine(request);
        if (engine == null) {
            return answers.problem(503, "Service Unavailable", "There is no limiter in this application.");
        }
        String path = request.getRequestURI();
        if (path.endsWith("/status")) {
            return answers.status(engine);
        }
        return path.endsWith("/explain")
                ? explain(request, answers, engine)
                : answers.problem(404, "Not Found", "There are …/status and …/explain.");
    }

    /** The filter that this request has passed knows best; where it passed none, the application's. */
    private @Nullable RateLimitEngine engine(HttpServletRequest request) {
        Object found = request.getAttribute(HttpEngine.ATTRIBUTE);
        Object known = found == null ? getServletContext().getAttribute(HttpEngine.ATTRIBUTE) : found;
        return known instanceof HttpEngine http ? http.engine() : null;
    }

    private static OperatorAnswer explain(HttpServletRequest request, OperatorAnswers answers, RateLimitEngine engine)
            throws IOException {
        if (!isReadable(request)) {
            return answers.problem(
                    400, "Bad Request", "The charset that Content-Type names is unknown: send the words in UTF-8.");
        }
        String description = description(request);
        if (description == null) {
            return answers.problem(
                    400,
                    "Bad Request",
                    "Describe the request, by the parameter request or in a POST's body of Content-Type text/plain:"
                            + " GET /api/orders ip=192.0.2.7");
        }
        return description.length() > LONGEST_DESCRIPTION
                ? answers.problem(413, "Content Too Large", "A description has 16384 characters at most.")
                : answers.explain(engine, description);
    }

    /** Containers throw different things at a charset that they do not know, and some when it is asked for only. */
    private static boolean isReadable(HttpServletRequest request) {
        try {
            String charset = request.getCharacterEncoding();
            return charset == null || Charset.isSupported(charset);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static @Nullable String description(HttpServletRequest request) throws IOException {
        String type = request.getContentType();
        if (request.getCharacterEncoding() == null) {
            request.setCharacterEncoding(StandardCharsets.UTF_8.name());
        }
        if (!request.getMethod().equals("POST") || type == null || !type.startsWith("text/plain")) {
            return request.getParameter(DESCRIPTION);
        }
        char[] text = new char[LONGEST_DESCRIPTION + 1];
        int length = 0;
        Reader body = request.getReader();
        while (length < text.length) {
            int read = body.read(text, length, text.length - length);
            if (read < 0) {
                break;
            }
            length += read;
        }
        return new String(text, 0, length);
    }
}
