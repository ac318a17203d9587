package io.ratelimit.servlet;

import io.ratelimit.core.FaultLog;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.http.AnswerExtensions;
import io.ratelimit.core.http.HttpAnswers;
import io.ratelimit.core.http.HttpEngine;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits the requests of a web application: charges each client's request once, tells the client in header fields where
 * it stands before the application runs, and answers refused requests itself.
 *
 * <p>Declared in {@code web.xml}, registered by jar alone (see {@link RateLimitInitializer}) or made by
 * {@link #builder()}. Its settings are the init-params of the filter, and those of the servlet context under the same
 * names after {@code ratelimit.}, which stand back. What the filter cannot decide passes; what the application throws
 * goes through unchanged. It may be mapped for any dispatch and more than once, and needs {@code async-supported} where
 * the application does.
 *
 * <p>Thread-safe, as the container needs it.
 */
public final class RateLimitFilter implements Filter {

    private static final Logger LOG = LoggerFactory.getLogger(RateLimitFilter.class);

    private final @Nullable FilterStartup startup;
    private final @Nullable HttpEngine given;
    private volatile @Nullable RequestGate gate;
    private @Nullable ServletContext context;

    /** Makes a filter that {@code web.xml} declares; its engine is made from init-params. */
    public RateLimitFilter() {
        this(new FilterStartup(RateLimitEngine.builder(), AnswerExtensions.none(), Map.of()));
    }

    /**
     * Makes a filter for an engine that the application owns, starts and closes.
     *
     * @param engine the engine
     * @param answers tells its decisions
     */
    public RateLimitFilter(RateLimitEngine engine, HttpAnswers answers) {
        this.startup = null;
        this.given = new HttpEngine(engine, answers);
    }

    RateLimitFilter(FilterStartup startup) {
        this.startup = startup;
        this.given = null;
    }

    /**
     * Begins a filter in code.
     *
     * @return a builder that takes the words of the init-params
     */
    public static RateLimitFilterBuilder builder() {
        return new RateLimitFilterBuilder();
    }

    /**
     * Makes and starts the engine. Rules that cannot be read and a cluster that cannot be joined do not keep the
     * application from starting: requests pass, or this host goes on alone, and the log says so.
     *
     * @param config the filter's init-params
     * @throws ServletException if an init-param is unknown or has no valid value; the message names it and says what
     *     would be right
     */
    @Override
    public void init(FilterConfig config) throws ServletException {
        if (RateLimitInitializer.isSuperseded(config)) {
            LOG.info(
                    "The application declares a RateLimitFilter of its own, the one registered by the jar stands back");
            return;
        }
        FilterStartup.Started started = startup == null ? given(config) : startup.start(config);
        if (started == null) {
            return;
        }
        HttpEngine http = started.http();
        ResumeGuard resumes = ResumeGuard.of(config, started.isLastFilter());
        resumes.check(http.engine().mayQueue());
        context = config.getServletContext();
        if (context.getAttribute(HttpEngine.ATTRIBUTE) == null) {
            context.setAttribute(HttpEngine.ATTRIBUTE, http);
        }
        gate = new RequestGate(
                http,
                context.getAttribute(HttpEngine.ATTRIBUTE) == http,
                resumes,
                new FaultLog(RateLimitFilter.class, http.engine().timeSource()));
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        RequestGate current = gate;
        if (current != null
                && request instanceof HttpServletRequest httpRequest
                && response instanceof HttpServletResponse httpResponse) {
            current.pass(httpRequest, httpResponse, chain);
        } else {
            chain.doFilter(request, response);
        }
    }

    /** Closes the engine, if the filter made it: its threads and ports are free when this returns. */
    @Override
    public void destroy() {
        RequestGate current = gate;
        gate = null;
        if (current == null) {
            return;
        }
        if (context != null && context.getAttribute(HttpEngine.ATTRIBUTE) == current.http()) {
            context.removeAttribute(HttpEngine.ATTRIBUTE);
        }
        if (given == null) {
            current.http().engine().close();
        }
    }

    private FilterStartup.@Nullable Started given(FilterConfig config) throws ServletException {
        if (config.getInitParameterNames().hasMoreElements()) {
            throw new ServletException("Filter '" + config.getFilterName() + "': init-param '"
                    + config.getInitParameterNames().nextElement()
                    + "' has no effect, since the application hands in a finished engine; set it there");
        }
        return given == null ? null : new FilterStartup.Started(given, false);
    }
}
