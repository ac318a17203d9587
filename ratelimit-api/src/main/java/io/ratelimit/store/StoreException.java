package io.ratelimit.store;

/** A store could not answer. */
public final class StoreException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String kind;

    /**
     * Makes an exception.
     *
     * @param kind what failed, from the small set of {@link io.ratelimit.RateLimitListener#onFailure}
     * @param message what is wrong
     */
    public StoreException(String kind, String message) {
        super(message);
        this.kind = kind;
    }

    /**
     * What failed.
     *
     * @return a word of a small fixed set
     */
    public String kind() {
        return kind;
    }
}
