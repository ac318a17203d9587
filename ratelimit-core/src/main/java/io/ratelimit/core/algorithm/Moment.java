package io.ratelimit.core.algorithm;

/**
 * A point in time on two clocks.
 *
 * @param nanos monotonic nanoseconds since an origin that the keeper of a state chooses, at least 0; what periods are
 *     measured by
 * @param epochMillis the wall clock, in milliseconds since the UNIX epoch; read only by limits that are aligned to the
 *     calendar
 */
public record Moment(long nanos, long epochMillis) {

    private static final long NANOS_PER_MILLI = 1_000_000;

    /**
     * A point in time for limits that do not look at the wall clock.
     *
     * @param nanos monotonic nanoseconds since the keeper's origin
     * @return the moment
     */
    public static Moment ofNanos(long nanos) {
        return new Moment(nanos, 0);
    }

    /**
     * An earlier moment.
     *
     * @param elapsed nanoseconds that have passed since
     * @return the moment, which may lie before the origin of the monotonic clock
     */
    public Moment minusNanos(long elapsed) {
        return new Moment(nanos - elapsed, epochMillis - elapsed / NANOS_PER_MILLI);
    }
}
