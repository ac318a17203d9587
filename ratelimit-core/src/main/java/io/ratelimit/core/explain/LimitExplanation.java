package io.ratelimit.core.explain;

import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How one limit stands towards a request.
 *
 * @param policy the limit's name towards clients, such as {@code everyone:1s}
 * @param limit the limit
 * @param remaining the tokens that the client has left now, before the request; at least 0
 * @param admits whether they suffice
 * @param retryAfter how long until they suffice; zero where they do, null where no waiting can help, or
 *     nobody knows how long
 */
public record LimitExplanation(
        String policy,
        Limit limit,
        long remaining,
        boolean admits,
        @Nullable Duration retryAfter) {

    /** One line, such as {@code limit 20 per 1s burst 40: 39 left, passes}. */
    @Override
    public String toString() {
        String text = "limit " + limit + ": " + remaining + " left, ";
        if (admits) {
            return text + "passes";
        }
        return text + "exceeded, " + retry(retryAfter);
    }

    /**
     * What becomes of a request that this limit refuses, such as {@code refused by everyone:1s, retry in 0.05s}.
     *
     * @return one sentence
     */
    public String asRefusal() {
        return "refused by " + policy + ", " + retry(retryAfter);
    }

    /**
     * Whether requests under way hold what is missing, so that nobody knows how long it takes.
     *
     * @return whether it is a limit of requests at the same time
     */
    public boolean mayBeFreed() {
        return limit.algorithm() == Algorithm.CONCURRENCY && limit.capacity() > 0;
    }

    private String retry(@Nullable Duration time) {
        if (time != null) {
            return "retry in " + WaitText.of(time);
        }
        return mayBeFreed() ? "until requests under way have ended" : "and no waiting helps";
    }
}
