package io.ratelimit.core.broadcast;

/**
 * How a message has come.
 *
 * @param nanos when it arrived
 * @param underWayNanos how much longer it was under way than the quickest one of its host
 * @param afterStandstill whether nothing was heard of its host for a while once, though it had told something
 * @param standstillNanos when the last such while ended
 */
record Delivery(long nanos, long underWayNanos, boolean afterStandstill, long standstillNanos) {

    /** Of a message that says nothing of its sending. */
    static Delivery unmarked(long nanos) {
        return new Delivery(nanos, 0, false, 0);
    }

    /**
     * How much of the time before this message belongs to a standstill: for one that was sent before its end, how long it
     * was under way; for the first one about a client, how long nothing was heard of him.
     *
     * @param heardNanos when the client was heard of last
     */
    long standstill(long heardNanos) {
        if (!afterStandstill) {
            return 0;
        }
        long late = nanos - underWayNanos - standstillNanos <= 0 ? underWayNanos : 0;
        return heardNanos - standstillNanos < 0 ? Math.max(late, nanos - heardNanos) : late;
    }
}
