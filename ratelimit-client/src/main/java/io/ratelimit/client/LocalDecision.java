package io.ratelimit.client;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.Decision;
import io.ratelimit.LimitStatus;
import io.ratelimit.LimitVisitor;
import io.ratelimit.Settlement;
import io.ratelimit.rules.Rule;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A decision that was made in this process. */
record LocalDecision(Decision made) implements RemoteDecision {

    @Override
    public boolean allowed() {
        return made.allowed();
    }

    @Override
    public Reason reason() {
        return made.reason();
    }

    @Override
    public @Nullable LimitStatus decidingLimit() {
        return made.decidingLimit();
    }

    @Override
    public List<LimitStatus> limits() {
        return made.limits();
    }

    @Override
    public void forEachLimit(LimitVisitor visitor) {
        made.forEachLimit(visitor);
    }

    @Override
    public List<LimitStatus> shadowRefusals() {
        return made.shadowRefusals();
    }

    @Override
    public @Nullable ClientIdentifier clientOf(Rule rule) {
        return made.clientOf(rule);
    }

    @Override
    public boolean mustBeSettled() {
        return made.mustBeSettled();
    }

    @Override
    public Settlement settlement() {
        return made.settlement();
    }

    @Override
    public Optional<Duration> retryAfter() {
        return made.retryAfter();
    }

    /** Of a refusal, the wait in whole seconds, rounded up. */
    @Override
    public Map<String, String> headers() {
        return allowed()
                ? Map.of()
                : retryAfter()
                        .map(wait -> wait.plusNanos(999_999_999).toSeconds())
                        .map(seconds -> Map.of("Retry-After", String.valueOf(Math.max(1, seconds))))
                        .orElse(Map.of());
    }

    @Override
    public int status() {
        Rule rule = made.decidingRule();
        return rule == null
                ? DaemonDecision.TOO_MANY_REQUESTS
                : rule.onExceeded().status();
    }
}
