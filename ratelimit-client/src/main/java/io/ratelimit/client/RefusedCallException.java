package io.ratelimit.client;

import java.io.IOException;
import java.util.Set;

/** A daemon has answered that it does not decide. */
final class RefusedCallException extends IOException {

    private static final long serialVersionUID = 1L;

    /** It is the caller that the daemon does not take, or nothing at all at this time or at this address. */
    private static final Set<Integer> FOR_ALL_REQUESTS = Set.of(401, 403, 404, 405, 407, 408, 429);

    private static final Set<Integer> BEFORE_DECIDING = Set.of(401, 403, 404, 405, 503);

    private final int status;

    RefusedCallException(int status) {
        super("it answers status " + status + advice(status));
        this.status = status;
    }

    private static String advice(int status) {
        return switch (status) {
            case 401, 403 -> ": check the token";
            case 404, 405 -> ": check that a daemon is at this address";
            case 413 -> ": what it is told of the request is too large";
            case 503 -> ": it is overloaded";
            default -> "";
        };
    }

    /** Whether it is this request that the daemon does not like, and others may do well. */
    boolean isForThisRequest() {
        return status >= 400 && status < 500 && !FOR_ALL_REQUESTS.contains(status);
    }

    /** Whether nothing was charged, for sure: a gateway that fails, or a fault, may come after the charge. */
    boolean isBeforeDeciding() {
        return BEFORE_DECIDING.contains(status);
    }
}
