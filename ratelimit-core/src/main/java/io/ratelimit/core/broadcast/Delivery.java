package io.ratelimit.core.broadcast;

/**
 * How a message has come.
 *
 * @param nanos when it arrived
 * @param underWayNanos how much longer it was under way than the quickest one of its host
 * @param afterStandstill whether nothing was heard of its host for a while once, though it had told something
 * @param standstillEndNanos when the last such while ended
 */
record Delivery(long nanos, long underWayNanos, boolean afterStandstill, long standstillEndNanos) {

    /** Of a message that says nothing of its sending. */
    static Delivery unmarked(long nanos) {
        return new Delivery(nanos, 0, false, 0);
    }

    /** When it was sent, by this host's clock. */
    long sentNanos() {
        return nanos - underWayNanos;
    }

    /** Whether it was sent before a standstill ended that it arrived after. */
    boolean isLate() {
        return afterStandstill && sentNanos() - standstillEndNanos < 0;
    }

    /** Whether how a bucket stood when it was sent says how it stands now: after a long time it has refilled. */
    boolean tellsStates() {
        return !isLate() && underWayNanos < Deliveries.SILENCE_NANOS;
    }

    /**
     * For how long nothing is known because of a standstill.
     *
     * @param settledNanos until when all is accounted for that was told of a client
     * @return nanoseconds; 0 if the standstill was over by then
     */
    long standstill(long settledNanos) {
        return afterStandstill && settledNanos - standstillEndNanos < 0 ? nanos - settledNanos : 0;
    }
}
