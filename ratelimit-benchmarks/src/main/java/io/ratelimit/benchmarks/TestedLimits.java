package io.ratelimit.benchmarks;

import io.ratelimit.rules.Limit;
import java.time.Duration;

/** The limits that all limiters are measured under. */
public final class TestedLimits {

    /** So much that no benchmark is ever refused, by limiters whose burst is what refills in a second too. */
    public static final Limit NEVER_REFUSES = Limit.of(1_000_000_000, Duration.ofSeconds(1));

    /** The same rate over a longer period, which comes to the same for one thread or two. */
    public static final Limit NEVER_REFUSES_EITHER = Limit.of(60_000_000_000L, Duration.ofMinutes(1));

    /** Empty after the first token, for longer than any benchmark takes. */
    static final Limit REFUSES_ALL_BUT_ONE = Limit.of(1, Duration.ofHours(1));

    /** Never refuses, and refills so slowly that no client is full again while it is measured. */
    public static final Limit KEEPS_CLIENTS = Limit.of(1_000_000, Duration.ofDays(400));

    private TestedLimits() {}
}
