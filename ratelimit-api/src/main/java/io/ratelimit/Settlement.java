package io.ratelimit;

/**
 * What an allowed request was charged, until it is known what it really was: settled once, by whoever comes first. Every
 * method returns at once, throws nothing, and has no effect after the first call of any of them; a charge that cannot be
 * given back because its store does not answer is told to {@link RateLimitListener#onFailure} and comes back with time.
 * Whatever the way, a settled request is no longer under way for limits that count {@code concurrency}. Safe for use by
 * any thread.
 */
public interface Settlement {

    /** Of a decision that charged nothing. */
    Settlement NOTHING = new Settlement() {
        @Override
        public boolean confirm(long cost) {
            return false;
        }

        @Override
        public boolean refund() {
            return false;
        }

        @Override
        public boolean complete(int status, long cost) {
            return false;
        }
    };

    /**
     * Lets all charges stand.
     *
     * @return true if this call settled the request
     */
    default boolean confirm() {
        return confirm(RequestContext.NO_COST);
    }

    /**
     * Lets all charges stand, for what the request turned out to cost: a part that was charged too much is given back, a
     * part that is missing is charged late. A late charge is never refused: limits that can owe do so, for at most the
     * time in which they fill, and what goes beyond is forgiven.
     *
     * @param cost tokens, at least 0, or {@link RequestContext#NO_COST} where it costs what was charged
     * @return true if this call settled the request
     */
    boolean confirm(long cost);

    /**
     * Gives all charges back.
     *
     * @return true if this call settled the request
     */
    boolean refund();

    /**
     * Settles by the response: rules that charge for some responses only give back what was reserved for others.
     *
     * @param status the response's HTTP status
     * @return true if this call settled the request
     */
    default boolean complete(int status) {
        return complete(status, RequestContext.NO_COST);
    }

    /**
     * Settles by the response and by what the request turned out to cost, as {@link #complete(int)} and
     * {@link #confirm(long)} do.
     *
     * @param status the response's HTTP status
     * @param cost tokens, at least 0, or {@link RequestContext#NO_COST} where it costs what was charged
     * @return true if this call settled the request
     */
    boolean complete(int status, long cost);
}
