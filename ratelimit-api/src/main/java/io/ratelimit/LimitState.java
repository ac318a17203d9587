package io.ratelimit;

/**
 * What a bucket says after a charge was tried.
 *
 * @param remaining tokens left, rounded down, at least 0
 * @param waitNanos nanoseconds, rounded up, after which the bucket would admit the same charge; 0 where it did;
 *     {@link #NEVER} where no waiting can help
 * @param nextTokenNanos nanoseconds, rounded up, until one more token is there; 0 for a full bucket
 */
public record LimitState(long remaining, long waitNanos, long nextTokenNanos) {

    /** The wait of a charge that no waiting can help: it costs more than the bucket holds. */
    public static final long NEVER = -1;

    /**
     * Whether the bucket admitted the charge.
     *
     * @return true if it had enough tokens
     */
    public boolean admits() {
        return waitNanos == 0;
    }
}
