package io.ratelimit.client;

import io.ratelimit.LimitStatus;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Nobody could be asked: the request passes. */
enum PassedDecision implements RemoteDecision {
    INSTANCE;

    @Override
    public boolean allowed() {
        return true;
    }

    @Override
    public Reason reason() {
        return Reason.FAILURE;
    }

    @Override
    public @Nullable LimitStatus decidingLimit() {
        return null;
    }

    @Override
    public List<LimitStatus> limits() {
        return List.of();
    }

    @Override
    public Map<String, String> headers() {
        return Map.of();
    }

    @Override
    public int status() {
        return DaemonDecision.TOO_MANY_REQUESTS;
    }
}
