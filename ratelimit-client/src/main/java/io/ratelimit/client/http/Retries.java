package io.ratelimit.client.http;

import io.ratelimit.Permits;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How one client tries again, and what its requests share.
 *
 * @param settings how it tries again
 * @param limits how much it may try
 * @param pace a token for each attempt, or null
 * @param pause how it waits
 */
record Retries(
        RetrySettings settings,
        RetryLimits limits,
        @Nullable Permits pace,
        Pause pause) {

    /**
     * How long to wait before another attempt. Whoever is told to wait has a place among those that wait, and is to leave it.
     *
     * @param attempts how many there have been
     * @param stated how long the server wants to be left alone, or null where it does not say
     * @return the wait, or null where there is to be no other attempt
     */
    @Nullable
    Duration waitIfAllowed(int attempts, @Nullable Duration stated) {
        boolean isTooLong = stated != null && stated.compareTo(settings.longestWait()) > 0;
        return attempts < settings.attempts() && !isTooLong && limits.enter()
                ? settings.backoff().after(attempts, stated)
                : null;
    }
}
