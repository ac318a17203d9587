package io.ratelimit.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether requests may wait for their turn. One that goes on after a wait is dispatched anew, and filters that are not mapped
 * for such dispatches do not see it, a filter that authenticates among them: so only where no other filter stands behind this
 * one, as far as is known, or the deployment says so. Thread-safe.
 */
final class ResumeGuard {

    private static final Logger LOG = LoggerFactory.getLogger(RateLimitFilter.class);

    /** The setting by which a deployment says that this filter is the last that counts. */
    static final String SETTING = "lastFilter";

    /** What containers register by themselves; they only open web sockets, which nobody keeps waiting. */
    private static final Pattern HARMLESS =
            Pattern.compile("(org\\.apache\\.tomcat|org\\.eclipse\\.jetty\\.ee\\d+|io\\.undertow)\\.websockets?\\..*");

    private static final Pattern PARAMETERS = Pattern.compile(";[^/]*");

    private final boolean allows;
    private final String why;
    private final AtomicBoolean warned = new AtomicBoolean();

    private ResumeGuard(boolean allows, String why) {
        this.allows = allows;
        this.why = why;
    }

    /**
     * Looks at the application's filters.
     *
     * @param config this filter
     * @param isSaidToBeLast whether the deployment says so
     */
    static ResumeGuard of(FilterConfig config, boolean isSaidToBeLast) {
        if (isSaidToBeLast) {
            return new ResumeGuard(true, "");
        }
        List<String> others = config.getServletContext().getFilterRegistrations().entrySet().stream()
                .filter(entry -> !entry.getKey().equals(config.getFilterName()))
                .filter(entry -> !entry.getKey().equals(RateLimitInitializer.FILTER_NAME))
                .filter(entry -> !isHarmless(entry.getValue()))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
        return new ResumeGuard(
                others.isEmpty(),
                "the filters " + others
                        + " would not see a request that goes on after a wait, if they stand behind this one;"
                        + " if none of them does, or none matters, set the init-param " + SETTING + " to true");
    }

    private static boolean isHarmless(FilterRegistration filter) {
        return HARMLESS.matcher(String.valueOf(filter.getClassName())).matches();
    }

    /** Whether a request may wait. */
    boolean allows(HttpServletRequest request) {
        if (!allows) {
            warn(why);
            return false;
        }
        if (!request.isAsyncSupported()) {
            warn("this filter or one before it lacks async-supported");
            return false;
        }
        return request.getDispatcherType() == DispatcherType.REQUEST && leadsBack(request);
    }

    /**
     * Whether a dispatch finds the servlet again that the request was mapped to. It goes by the URI as it was sent, in which
     * Undertow does not resolve dots then, so that an odd spelling leads elsewhere, past whoever judged the path.
     */
    private static boolean leadsBack(HttpServletRequest request) {
        String pathInfo = request.getPathInfo();
        String mapped = request.getServletPath() + (pathInfo == null ? "" : pathInfo);
        String sent = PARAMETERS.matcher(request.getRequestURI()).replaceAll("");
        try {
            return decoded(sent).equals(decoded(request.getContextPath()) + mapped);
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }

    private static String decoded(String path) {
        return URLDecoder.decode(path.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    /**
     * Says at the start what would be found out under load.
     *
     * @param mayQueue whether a rule lets requests wait
     */
    void check(boolean mayQueue) {
        if (mayQueue && !allows) {
            warn(why);
        }
    }

    private void warn(String reason) {
        if (warned.compareAndSet(false, true)) {
            LOG.warn(
                    "No request waits for its turn, those that rules with a queue refuse are answered at once: {}",
                    reason);
        }
    }
}
