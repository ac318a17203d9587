package io.ratelimit.client.http;

import java.time.Duration;

/**
 * How a client tries again.
 *
 * @param attempts the most attempts of a request, the first included, at least 1
 * @param backoff how long it waits between them
 * @param longestWait the longest wait that a server may ask for; where it asks for more, the caller gets its answer
 * @param rules what may be repeated
 * @param mostKeptBytes the most that is kept of a body of unknown length, to send it again
 */
record RetrySettings(int attempts, Backoff backoff, Duration longestWait, RepeatRules rules, int mostKeptBytes) {

    /**
     * Checks the bounds.
     *
     * @throws IllegalArgumentException if there is no attempt, or a bound is negative
     */
    RetrySettings {
        if (attempts < 1) {
            throw new IllegalArgumentException("attempts is " + attempts + ": it must be at least 1");
        }
        if (longestWait.isNegative() || mostKeptBytes < 0) {
            throw new IllegalArgumentException("longestWait is " + longestWait + " and mostKeptBytes " + mostKeptBytes
                    + ": neither may be negative");
        }
    }
}
