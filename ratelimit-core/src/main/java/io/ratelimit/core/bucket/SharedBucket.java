package io.ratelimit.core.bucket;

import io.ratelimit.LimitState;
import java.util.List;

/**
 * What a store has said of a client's bucket that all hosts share.
 *
 * @param limits what it has said of each limit, in their order
 * @param untold tokens that were spent on this host and are not in it yet, at least 0
 */
public record SharedBucket(List<Seen> limits, long untold) {

    /**
     * What it has said of a limit.
     *
     * @param state the state
     * @param ageNanos how long ago that counts as said, in nanoseconds, at least 0
     */
    public record Seen(LimitState state, long ageNanos) {}

    /** Copies what it has said. */
    public SharedBucket {
        limits = List.copyOf(limits);
    }
}
