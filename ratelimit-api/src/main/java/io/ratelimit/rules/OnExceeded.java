package io.ratelimit.rules;

/**
 * What happens to a request that a rule refuses.
 *
 * @param action what is done with it
 * @param status the HTTP status of a rejection, 400 to 599
 */
public record OnExceeded(Action action, int status) {

    /** What is done with a refused request. */
    public enum Action {
        /** It is answered with an error. */
        REJECT,
        /** It passes, and is counted as one that would have been refused. */
        SHADOW
    }

    private static final int TOO_MANY_REQUESTS = 429;

    /** Too Many Requests (RFC 6585 section 4). */
    public static final OnExceeded REJECT = new OnExceeded(Action.REJECT, TOO_MANY_REQUESTS);

    /** Lets the request pass and counts it. */
    public static final OnExceeded SHADOW = new OnExceeded(Action.SHADOW, TOO_MANY_REQUESTS);

    /**
     * Checks the status.
     *
     * @throws IllegalArgumentException if the status is no error
     */
    public OnExceeded {
        if (status < 400 || status > 599) {
            throw new IllegalArgumentException("the status of a refusal must be between 400 and 599, not " + status);
        }
    }

    /**
     * A rejection.
     *
     * @param status the HTTP status, 400 to 599
     * @throws IllegalArgumentException if the status is no error
     */
    public OnExceeded(int status) {
        this(Action.REJECT, status);
    }
}
