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
        return switch (status) {
            case TOO_MANY_REQUESTS -> true;
            case UNAVAILABLE -> isStated || isIdempotent(request);
            case BAD_GATEWAY, GATEWAY_TIMEOUT -> isIdempotent(request);
            default -> false;
        };
    }

    /** Whether to send again what got no answer. */
    boolean allow(HttpRequest request, Throwable failure) {
        boolean isUnsent = failure instanceof ConnectException || failure instanceof HttpConnectTimeoutException;
        boolean mayPass = failure instanceof IOException && !(failure instanceof SSLException);
        return isUnsent || (mayPass && isIdempotent(request));
    }

    private boolean isIdempotent(HttpRequest request) {
        return repeatsAll
                || IDEMPOTENT.contains(request.method())
                || request.headers().firstValue("Idempotency-Key").isPresent();
    }
}
