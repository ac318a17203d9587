package io.ratelimit;

import io.ratelimit.rules.Limit;
import io.ratelimit.rules.Rule;
import java.time.Duration;
import java.util.Optional;

/**
 * One limit of one rule as a decision left it.
 *
 * @param rule the rule
 * @param limit the limit, one of those that the rule sets for this client
 * @param policy the limit's name towards clients: the rule's name, followed by {@code :} and the period where the rule
 *     sets several limits
 * @param state the tokens left and the waits
 */
public record LimitStatus(Rule rule, Limit limit, String policy, LimitState state) {

    /**
     * The tokens left.
     *
     * @return between 0 and the limit's capacity
     */
    public long remaining() {
        return state.remaining();
    }

    /**
     * Whether this limit had enough tokens for the request.
     *
     * @return false if it refused the request
     */
    public boolean admits() {
        return state.admits();
    }

    /**
     * The time after which this limit would admit the same request.
     *
     * @return zero where it did; empty where no waiting can help, or nobody knows how long, as in a limit of
     *     concurrency that is full
     */
    public Optional<Duration> retryAfter() {
        return state.waitNanos() == LimitState.NEVER
                ? Optional.empty()
                : Optional.of(Duration.ofNanos(state.waitNanos()));
    }
}
