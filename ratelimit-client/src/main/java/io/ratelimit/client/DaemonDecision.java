package io.ratelimit.client;

import io.ratelimit.LimitStatus;
import io.ratelimit.Settlement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A decision as a daemon has answered it. */
record DaemonDecision(
        boolean allowed,
        Reason reason,
        int status,
        Optional<Duration> retryAfter,
        Map<String, String> headers,
        List<LimitStatus> limits,
        @Nullable LimitStatus decidingLimit,
        List<LimitStatus> shadowRefusals,
        boolean mustBeSettled,
        Settlement settlement)
        implements RemoteDecision {

    static final int TOO_MANY_REQUESTS = 429;

    /** Copies the lists. */
    DaemonDecision {
        limits = List.copyOf(limits);
        shadowRefusals = List.copyOf(shadowRefusals);
    }
}
