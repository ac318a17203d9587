package io.ratelimit.core.lease;

import java.util.function.IntSupplier;

/**
 * How many hosts share buckets, as far as this one knows. After a change, some may not have heard of it yet, and leases
 * may be under way that were taken before: until all that is over, the larger number counts. Thread-safe.
 */
final class HostCount {

    /**
     * What is known at one time.
     *
     * @param before the most that there were before the last change; 0 if that was never known for long
     */
    private record Known(int count, int before, long changedNanos) {}

    private final IntSupplier source;
    private final long settleNanos;
    private volatile Known known;

    /**
     * Starts without having heard of any host.
     *
     * @param source says how many there are; 0 for not known
     * @param settleNanos how long after a change all have heard of it, and all leases from before are over
     * @param nanos the time
     */
    HostCount(IntSupplier source, long settleNanos, long nanos) {
        this.source = source;
        this.settleNanos = settleNanos;
        this.known = new Known(0, 0, nanos);
    }

    /** Whether everybody knows how many there are, and has for a while. */
    boolean isSettled(long nanos) {
        return isSettled(look(nanos), nanos);
    }

    /** The most that there may be; 0 where that is not known, as it is not at the start. */
    int most(long nanos) {
        Known now = look(nanos);
        if (isSettled(now, nanos)) {
            return now.count;
        }
        return now.count == 0 || now.before == 0 ? 0 : Math.max(now.count, now.before);
    }

    private Known look(long nanos) {
        int count = source.getAsInt();
        Known now = known;
        return count == now.count ? now : change(count, nanos);
    }

    private synchronized Known change(int count, long nanos) {
        Known now = known;
        if (count != now.count) {
            known = new Known(count, mostBefore(now, nanos), nanos);
        }
        return known;
    }

    private int mostBefore(Known now, long nanos) {
        if (isSettled(now, nanos)) {
            return now.count;
        }
        return now.before == 0 ? 0 : Math.max(now.count, now.before);
    }

    private boolean isSettled(Known now, long nanos) {
        return now.count > 0 && nanos - now.changedNanos >= settleNanos;
    }
}
