package io.ratelimit.core.bucket;

import io.ratelimit.rules.Limit;

/**
 * What a client has spent on another host.
 *
 * @param tokens how many, at least 0
 * @param ageNanos how long ago, in nanoseconds, at least 0
 * @param standstillNanos for how long before this was heard nothing is known of the bucket, because this host or the
 *     network stood still; at least 0. What can have refilled in that time has
 */
public record SpentElsewhere(long tokens, long ageNanos, long standstillNanos) {

    /** Nothing. */
    public static final SpentElsewhere NOTHING = new SpentElsewhere(0, 0, 0);

    /** Tokens of a limit that cannot have refilled during the standstill. */
    long missing(Limit limit) {
        return Math.max(0, tokens - (long) Refilling.tokens(limit, standstillNanos));
    }
}
