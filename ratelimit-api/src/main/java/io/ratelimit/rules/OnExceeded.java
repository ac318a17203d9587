package io.ratelimit.rules;

/**
 * What happens to a request that a rule refuses: it is rejected with a status.
 *
 * @param status the HTTP status, 400 to 599
 */
public record OnExceeded(int status) {

    /** Too Many Requests (RFC 6585 section 4). */
    public static final OnExceeded REJECT = new OnExceeded(429);

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
}
