package io.ratelimit.core.refusal;

import io.ratelimit.LimitState;
import java.util.List;

/**
 * A refusal that can be repeated without asking anew, for a while. Immutable.
 *
 * @param limits what the limits said
 * @param askedNanos when they were asked, on this host's clock: no later than they decided
 * @param answeredNanos when the answer came: no earlier than they decided, so that no wait is told too short
 * @param endNanos when they are to be asked again
 */
public record Refusal(List<LimitState> limits, long askedNanos, long answeredNanos, long endNanos) {

    /**
     * A refusal that is repeated until the wait that it names is over.
     *
     * @param limits what the limits said, at least one of which refused
     * @param askedNanos when they were asked, on this host's clock
     * @param answeredNanos when the answer came
     * @param longestNanos how long it is repeated at most, in nanoseconds: tokens may be given back elsewhere
     * @return the refusal
     */
    public static Refusal of(List<LimitState> limits, long askedNanos, long answeredNanos, long longestNanos) {
        long wait = 0;
        for (LimitState limit : limits) {
            wait = Math.max(wait, limit.waitNanos() == LimitState.NEVER ? longestNanos : limit.waitNanos());
        }
        return new Refusal(limits, askedNanos, answeredNanos, askedNanos + Math.min(wait, longestNanos));
    }

    /**
     * Whether the limits would still refuse as much as they have refused.
     *
     * @param nanos the time
     * @return false once they are to be asked again
     */
    public boolean isGood(long nanos) {
        return nanos - endNanos < 0;
    }

    /**
     * What the limits say now: waits have become shorter by the time that has passed, and those of limits that would admit
     * by now are as good as over.
     *
     * @param nanos the time
     * @return their states; each that refused does so still
     */
    public List<LimitState> limitsAt(long nanos) {
        return later(limits, nanos);
    }

    /** What limits say now that were asked at the same time. */
    List<LimitState> later(List<LimitState> states, long nanos) {
        long elapsed = Math.max(0, nanos - answeredNanos);
        return states.stream().map(state -> later(state, elapsed)).toList();
    }

    private static LimitState later(LimitState state, long elapsed) {
        return new LimitState(
                state.remaining(),
                state.waitNanos() > 0 ? Math.max(1, state.waitNanos() - elapsed) : state.waitNanos(),
                state.nextTokenNanos() > 0 ? Math.max(1, state.nextTokenNanos() - elapsed) : state.nextTokenNanos());
    }
}
