package io.ratelimit.benchmarks.scale;

import com.google.common.collect.ImmutableList;
import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Alignment;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.LimitOptions;
import io.ratelimit.rules.Penalty;
import io.ratelimit.rules.Refill;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.OptionalInt;

/**
 * The limits whose memory is measured: each way of counting, the options that need more, and several limits in one rule.
 * What is spent does not come back while it is measured. The textbook's figures are those that introductions to rate
 * limiting work out for 1,000,000 users: a window with its lock, a log of 500 requests an hour, counters for each minute
 * of the hour.
 */
enum LimitKind {
    TOKEN_BUCKET("token-bucket", plain(Algorithm.TOKEN_BUCKET)),
    LEAKY_BUCKET("leaky-bucket", plain(Algorithm.LEAKY_BUCKET)),
    GCRA("gcra", plain(Algorithm.GCRA)),
    INTERVAL("token-bucket, refill: interval", plain(Algorithm.TOKEN_BUCKET, interval())),
    INTERVAL_BY_CLOCK(
            "token-bucket, refill: interval, align: clock",
            plain(Algorithm.TOKEN_BUCKET, interval().withAlignment(calendar()))),
    FIXED_WINDOW("fixed-window", 36, 1, plain(Algorithm.FIXED_WINDOW)),
    FIXED_WINDOW_BY_CLOCK(
            "fixed-window, align: clock",
            36,
            1,
            plain(Algorithm.FIXED_WINDOW, LimitOptions.NONE.withAlignment(calendar()))),
    LOG("sliding-window-log, 500 of 500/h", 12_000, 500, hourly(Algorithm.SLIDING_WINDOW_LOG, LimitOptions.NONE)),
    COUNTER("sliding-window-counter, 500/h", 1_600, 1, hourly(Algorithm.SLIDING_WINDOW_COUNTER, LimitOptions.NONE)),
    COUNTER_OF_MINUTES(
            "sliding-window-counter, 500/h, precision: 60",
            1_600,
            1,
            hourly(Algorithm.SLIDING_WINDOW_COUNTER, LimitOptions.NONE.withPrecision(60))),
    CONCURRENCY("concurrency", new Limit(50, Duration.ZERO, 50, Algorithm.CONCURRENCY)),
    WARM_UP("warm-up", plain(Algorithm.WARM_UP, LimitOptions.NONE.withWarmUp(Duration.ofDays(30)))),
    MIN_INTERVAL(
            "token-bucket, minInterval",
            plain(Algorithm.TOKEN_BUCKET, LimitOptions.NONE.withMinInterval(Duration.ofHours(1)))),
    PENALTY(
            "token-bucket, penalty",
            plain(Algorithm.TOKEN_BUCKET, LimitOptions.NONE.withPenalty(new Penalty(3, Duration.ofHours(1))))),
    TWO_LIMITS("two token-buckets", tokens(1), tokens(30)),
    THREE_LIMITS("three token-buckets", tokens(1), tokens(30), tokens(365));

    private static final int NO_TEXTBOOK = 0;

    private final String title;
    private final int textbook;
    private final int spent;
    /** The API is without the annotations that would say that a limit is immutable. */
    @SuppressWarnings("ImmutableEnumChecker")
    private final ImmutableList<Limit> limits;

    LimitKind(String title, Limit... limits) {
        this(title, NO_TEXTBOOK, 1, limits);
    }

    LimitKind(String title, int textbook, int spent, Limit... limits) {
        this.title = title;
        this.textbook = textbook;
        this.spent = spent;
        this.limits = ImmutableList.copyOf(limits);
    }

    private static Limit plain(Algorithm algorithm) {
        return plain(algorithm, LimitOptions.NONE);
    }

    private static Limit plain(Algorithm algorithm, LimitOptions options) {
        return new Limit(100, Duration.ofDays(1), 100, algorithm, options);
    }

    private static Limit hourly(Algorithm algorithm, LimitOptions options) {
        return new Limit(500, Duration.ofHours(1), 500, algorithm, options);
    }

    private static Limit tokens(int days) {
        return Limit.of(100, Duration.ofDays(days));
    }

    private static LimitOptions interval() {
        return LimitOptions.NONE.withRefill(Refill.INTERVAL);
    }

    private static Alignment calendar() {
        return new Alignment.Clock(ZoneOffset.UTC);
    }

    String title() {
        return title;
    }

    /** Megabytes for 1,000,000 users. */
    OptionalInt textbook() {
        return textbook == NO_TEXTBOOK ? OptionalInt.empty() : OptionalInt.of(textbook);
    }

    /** How many tokens each client has spent. */
    int spent() {
        return spent;
    }

    ImmutableList<Limit> limits() {
        return limits;
    }
}
