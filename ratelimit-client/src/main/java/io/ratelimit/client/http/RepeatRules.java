package io.ratelimit.client.http;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.util.Set;
import javax.net.ssl.SSLException;

/**
 * What may be sent again: whatever was surely not acted on, and what does the same when it is done twice (RFC 9110, section
 * 9.2.2). Immutable.
 *
 * @param repeatsAll whether the caller has said that all of its requests may be done twice
 */
record RepeatRules(boolean repeatsAll) {

    static final String IDEMPOTENCY_KEY = "Idempotency-Key";

    private static final int TOO_MANY_REQUESTS = 429;
    private static final int BAD_GATEWAY = 502;
    private static final int UNAVAILABLE = 503;
    private static final int GATEWAY_TIMEOUT = 504;

    private static final Set<String> IDEMPOTENT = Set.of("GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE");

    /**
     * Whether to send again what was answered.
     *
     * @param status the answer's status
     * @param isStated whether the answer says how long to wait: then it was given instead of an attempt
     */
    boolean allow(HttpRequest request, int status, boolean isStated) {
        return allow(mayRepeat(request), status, isStated);
    }

    /**
     * Whether to send again what was answered.
     *
     * @param repeatable whether the request may be done twice
     */
    static boolean allow(boolean repeatable, int status, boolean isStated) {
        return switch (status) {
            case TOO_MANY_REQUESTS -> true;
            case UNAVAILABLE -> isStated || repeatable;
            case BAD_GATEWAY, GATEWAY_TIMEOUT -> repeatable;
            default -> false;
        };
    }

    /** Whether to send again what got no answer. */
    boolean allow(HttpRequest request, Throwable failure) {
        return allow(mayRepeat(request), failure);
    }

    /**
     * Whether to send again what got no answer.
     *
     * @param repeatable whether the request may be done twice
     */
    static boolean allow(boolean repeatable, Throwable failure) {
        boolean isUnsent = failure instanceof ConnectException || failure instanceof HttpConnectTimeoutException;
        boolean mayPass = failure instanceof IOException && !(failure instanceof SSLException);
        return isUnsent || (mayPass && repeatable);
    }

    private boolean mayRepeat(HttpRequest request) {
        return mayRepeat(
                request.method(), request.headers().firstValue(IDEMPOTENCY_KEY).isPresent());
    }

    /**
     * Whether a request may be done twice.
     *
     * @param hasKey whether it has the header {@value #IDEMPOTENCY_KEY}
     */
    boolean mayRepeat(String method, boolean hasKey) {
        return repeatsAll || hasKey || IDEMPOTENT.contains(method);
    }
}
