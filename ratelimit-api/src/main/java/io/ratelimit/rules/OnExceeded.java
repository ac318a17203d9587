package io.ratelimit.rules;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What happens to a request that a rule refuses.
 *
 * @param action what is done with it
 * @param status the HTTP status of a rejection, 400 to 599; of a queue the one of requests that find no place in it
 * @param line the line of {@link Action#QUEUE}, null for every other action
 */
public record OnExceeded(
        Action action, int status, @Nullable Line line) {

    /** What is done with a refused request. */
    public enum Action {
        /** It is answered with an error. */
        REJECT,
        /** It waits for its turn where the way in can let it wait, and is answered with an error elsewhere. */
        QUEUE,
        /** Its connection is closed without an answer where the way in can do so; elsewhere it is answered with an error. */
        DROP,
        /** It passes, and is counted as one that would have been refused. */
        SHADOW
    }

    /**
     * Where requests wait for their turn, one line for each client on each host.
     *
     * @param places how many requests of a client may wait on a host, 1 to {@link #MOST_PLACES}
     * @param maxWait how long a request may wait, from {@link #SHORTEST_WAIT} to {@link #LONGEST_WAIT}; one whose turn
     *     would come later is refused at once
     */
    public record Line(int places, Duration maxWait) {

        /** A host has no room for more. */
        public static final int MOST_PLACES = 10_000;

        /** What is shorter, timers cannot tell. */
        public static final Duration SHORTEST_WAIT = Duration.ofMillis(1);

        /** Clients and proxies give up long before. */
        public static final Duration LONGEST_WAIT = Duration.ofMinutes(10);

        /**
         * Checks the ranges.
         *
         * @throws IllegalArgumentException if a component is out of its range
         */
        public Line {
            if (places < 1 || places > MOST_PLACES) {
                throw new IllegalArgumentException(
                        "a queue has between 1 and " + MOST_PLACES + " places, not " + places);
            }
            if (maxWait.compareTo(SHORTEST_WAIT) < 0 || maxWait.compareTo(LONGEST_WAIT) > 0) {
                throw new IllegalArgumentException("maxWait must be between " + SHORTEST_WAIT.toMillis() + "ms and "
                        + LONGEST_WAIT.toMinutes() + "m, not " + maxWait);
            }
        }
    }

    private static final int TOO_MANY_REQUESTS = 429;

    /** Too Many Requests (RFC 6585 section 4). */
    public static final OnExceeded REJECT = new OnExceeded(TOO_MANY_REQUESTS);

    /** Closes the connection. */
    public static final OnExceeded DROP = new OnExceeded(Action.DROP, TOO_MANY_REQUESTS, null);

    /** Lets the request pass and counts it. */
    public static final OnExceeded SHADOW = new OnExceeded(Action.SHADOW, TOO_MANY_REQUESTS, null);

    /**
     * Checks the status, and that a queue has a line.
     *
     * @throws IllegalArgumentException if the status is no error, or the line does not go with the action
     */
    public OnExceeded {
        if (status < 400 || status > 599) {
            throw new IllegalArgumentException("the status of a refusal must be between 400 and 599, not " + status);
        }
        if ((action == Action.QUEUE) != (line != null)) {
            throw new IllegalArgumentException("a line goes with " + Action.QUEUE + ", and not with " + action);
        }
    }

    /**
     * A rejection.
     *
     * @param status the HTTP status, 400 to 599
     * @throws IllegalArgumentException if the status is no error
     */
    public OnExceeded(int status) {
        this(Action.REJECT, status, null);
    }

    /**
     * A queue, which answers 429 where there is no place in it.
     *
     * @param line where requests wait
     */
    public OnExceeded(Line line) {
        this(Action.QUEUE, TOO_MANY_REQUESTS, line);
    }
}
