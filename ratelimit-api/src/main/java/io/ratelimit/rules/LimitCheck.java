package io.ratelimit.rules;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/** Which options go with which algorithm. */
final class LimitCheck {

    private static final int MOST_SUB_WINDOWS = 1_000;

    private static final Set<Algorithm> WITH_BURST = EnumSet.of(
            Algorithm.TOKEN_BUCKET, Algorithm.LEAKY_BUCKET, Algorithm.GCRA, Algorithm.WARM_UP, Algorithm.CONCURRENCY);
    private static final Set<Algorithm> WITH_WINDOWS =
            EnumSet.of(Algorithm.FIXED_WINDOW, Algorithm.SLIDING_WINDOW_COUNTER);
    private static final Set<Algorithm> WITHOUT_REFUSALS = EnumSet.of(Algorithm.CONCURRENCY, Algorithm.WARM_UP);

    private final long tokens;
    private final Duration period;
    private final long capacity;
    private final Algorithm algorithm;
    private final LimitOptions options;

    private LimitCheck(long tokens, Duration period, long capacity, Algorithm algorithm, LimitOptions options) {
        this.tokens = tokens;
        this.period = period;
        this.capacity = capacity;
        this.algorithm = algorithm;
        this.options = options;
    }

    /** Throws {@link IllegalArgumentException} for the first option of a limit that does not fit. */
    static void check(long tokens, Duration period, long capacity, Algorithm algorithm, LimitOptions options) {
        new LimitCheck(tokens, period, capacity, algorithm, options).run();
    }

    private void run() {
        burst();
        refillAndAlignment();
        precision();
        warmUp();
        inFlight();
        refusals();
    }

    private void burst() {
        boolean allowed = WITH_BURST.contains(algorithm) && (algorithm != Algorithm.CONCURRENCY || options.adaptive());
        require(
                capacity == tokens || allowed,
                "has no burst: leave the burst of " + capacity + " out, or "
                        + (algorithm == Algorithm.CONCURRENCY ? "write adaptive: true" : "use token-bucket"));
        require(
                !options.adaptive() || capacity >= tokens,
                "learns at most as many tokens as the burst says, which is less than the " + tokens
                        + " that it starts with: " + capacity);
    }

    private void refillAndAlignment() {
        boolean interval = options.refill() == Refill.INTERVAL;
        require(
                !interval || algorithm == Algorithm.TOKEN_BUCKET,
                "does not refill by interval: leave refill out, or use token-bucket");
        boolean hasWindows = WITH_WINDOWS.contains(algorithm) || interval;
        require(
                options.alignment() instanceof Alignment.Client || hasWindows,
                "has no windows that could begin with the clock: leave align out, or use fixed-window,"
                        + " sliding-window-counter or token-bucket with refill: interval");
    }

    private void precision() {
        int precision = options.precision();
        require(
                precision == 1 || algorithm == Algorithm.SLIDING_WINDOW_COUNTER,
                "has no sub-windows: leave precision out, or use sliding-window-counter");
        require(
                precision >= 1 && precision <= MOST_SUB_WINDOWS,
                "has a precision between 1 and " + MOST_SUB_WINDOWS + ", not " + precision);
        require(
                precision == 1 || options.alignment() instanceof Alignment.Client,
                "has a precision of more than 1 only where windows begin with the client: leave align or precision out");
        require(
                period.toNanos() % precision == 0,
                "needs a precision that divides its period into whole nanoseconds, which " + precision + " does not");
    }

    private void warmUp() {
        boolean warmsUp = algorithm == Algorithm.WARM_UP;
        Duration warmUp = options.warmUp();
        require(warmsUp || warmUp.isZero(), "does not warm up: leave warmUp out, or use warm-up");
        boolean inRange = !warmUp.isZero() && !warmUp.isNegative() && warmUp.compareTo(Limit.LONGEST_PERIOD) <= 0;
        require(!warmsUp || inRange, "needs the time in which the rate climbs, such as warmUp: 30s");
    }

    private void inFlight() {
        boolean inFlight = algorithm == Algorithm.CONCURRENCY;
        require(inFlight || !options.adaptive(), "learns nothing: leave adaptive out, or use concurrency");
        Duration spacing = options.minInterval();
        require(
                !spacing.isNegative() && spacing.compareTo(Limit.LONGEST_PERIOD) <= 0,
                "has a minInterval between 0 and " + Limit.LONGEST_PERIOD.toDays() + " days, not " + spacing);
        require(
                !inFlight || spacing.isZero(),
                "counts requests that are under way and has no minInterval; leave it out, or put it on another limit");
    }

    private void refusals() {
        boolean allowed = !WITHOUT_REFUSALS.contains(algorithm);
        require(!options.chargeRefused() || allowed, "does not count refused requests: leave chargeRefused out");
        require(options.penalty() == null || allowed, "has no penalty: leave penalty out, or put it on another limit");
    }

    private void require(boolean fits, String complaint) {
        if (!fits) {
            throw new IllegalArgumentException(algorithm.word() + " " + complaint);
        }
    }
}
