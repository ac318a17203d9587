package io.ratelimit.benchmarks;

import io.ratelimit.Decision;
import io.ratelimit.Permits;
import io.ratelimit.RequestContext;
import io.ratelimit.TimeSource;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.permits.LocalPermits;
import io.ratelimit.rules.Limit;
import io.ratelimit.store.Charge;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** What is asked so often that it must not become dearer unnoticed. */
enum GuardedPath {
    ONE_LIMIT_ADMITTED("A request that passes one limit", clocks -> asked(Outcome.ADMITTED, oneLimit(), clocks)),
    ONE_LIMIT_REFUSED("A request that one limit refuses", clocks -> asked(Outcome.REFUSED, oneLimitGone(), clocks)),
    TWO_LIMITS_ADMITTED("A request that passes two limits", clocks -> asked(Outcome.ADMITTED, twoLimits(), clocks)),
    TWO_LIMITS_REFUSED(
            "A request that one of two limits refuses", clocks -> asked(Outcome.REFUSED, twoLimitsGone(), clocks)),
    ONE_LIMIT_READ(
            "A request that passes one limit, whose state is read",
            clocks -> read(Outcome.ADMITTED, oneLimit(), clocks)),
    TWO_LIMITS_READ(
            "A request that passes two limits, whose states are read",
            clocks -> read(Outcome.ADMITTED, twoLimits(), clocks)),
    TWO_LIMITS_REFUSED_READ(
            "A request that one of two limits refuses, whose states are read",
            clocks -> read(Outcome.REFUSED, twoLimitsGone(), clocks)),
    BY_HEADER(
            "A decision for a client told apart by a header", clocks -> decided(Outcome.ADMITTED, byHeader(), clocks)),
    TEN_THOUSAND_RULES(
            "A request that passes one limit among 10,000 rules",
            clocks -> asked(Outcome.ADMITTED, oneLimitAmongMany(), clocks)),
    PERMITS_ADMITTED("A permit that is there", clocks -> permits(Outcome.ADMITTED, clocks)),
    PERMITS_REFUSED("A permit that is not there", clocks -> permits(Outcome.REFUSED, clocks)),
    TABLE_ADMITTED("A verdict of the local table that passes", clocks -> table(Outcome.ADMITTED, clocks)),
    TABLE_REFUSED("A verdict of the local table that refuses", clocks -> table(Outcome.REFUSED, clocks)),
    STORE_ADMITTED("A charge of the local store that passes", clocks -> store(Outcome.ADMITTED, clocks)),
    STORE_REFUSED("A charge that the local store refuses", clocks -> store(Outcome.REFUSED, clocks));

    private static final String CLIENT = "client-000000001";
    private static final int RULES = 10;
    private static final int MANY_RULES = 10_000;

    private final String title;
    private final Function<TimeSource, RunningPath> starting;

    GuardedPath(String title, Function<TimeSource, RunningPath> starting) {
        this.title = title;
        this.starting = starting;
    }

    /** The beginning of a sentence about it. */
    String title() {
        return title;
    }

    /** Its name in files. */
    String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Makes what the path leads through.
     *
     * @param clocks what buckets refill by
     * @return the path, asked once, so that a limit of one token refuses from now on
     */
    RunningPath start(TimeSource clocks) {
        RunningPath path = starting.apply(clocks);
        path.askFirst();
        return path;
    }

    private static RulesText oneLimit() {
        return new RulesText("user", RULES, List.of(TestedLimits.NEVER_REFUSES));
    }

    private static RulesText oneLimitAmongMany() {
        return new RulesText("user", MANY_RULES, List.of(TestedLimits.NEVER_REFUSES));
    }

    private static RulesText oneLimitGone() {
        return new RulesText("user", RULES, List.of(TestedLimits.REFUSES_ALL_BUT_ONE));
    }

    private static RulesText twoLimits() {
        List<Limit> limits = List.of(TestedLimits.NEVER_REFUSES, TestedLimits.NEVER_REFUSES_EITHER);
        return new RulesText("user", RULES, limits);
    }

    private static RulesText twoLimitsGone() {
        List<Limit> limits = List.of(TestedLimits.REFUSES_ALL_BUT_ONE, TestedLimits.NEVER_REFUSES_EITHER);
        return new RulesText("user", RULES, limits);
    }

    private static RulesText byHeader() {
        return new RulesText("header:" + BenchmarkRequest.HEADER, RULES, List.of(TestedLimits.NEVER_REFUSES));
    }

    private static RunningPath asked(Outcome outcome, RulesText rules, TimeSource clocks) {
        RateLimitEngine engine = RunningEngine.of(rules, clocks);
        RequestContext request = new BenchmarkRequest(rules.path(), CLIENT);
        return new RunningPath(outcome, () -> engine.limiter().allowRequest(request), engine);
    }

    private static RunningPath decided(Outcome outcome, RulesText rules, TimeSource clocks) {
        RateLimitEngine engine = RunningEngine.of(rules, clocks);
        RequestContext request = new BenchmarkRequest(rules.path(), CLIENT);
        return new RunningPath(outcome, () -> engine.limiter().decide(request).allowed(), engine);
    }

    private static RunningPath read(Outcome outcome, RulesText rules, TimeSource clocks) {
        RateLimitEngine engine = RunningEngine.of(rules, clocks);
        RequestContext request = new BenchmarkRequest(rules.path(), CLIENT);
        LimitReader reader = new LimitReader();
        return new RunningPath(
                outcome, () -> isReadAndAllowed(reader, engine.limiter().decide(request)), engine);
    }

    /** Reads what a response's headers tell of each limit, so that no compiler may leave it out. */
    private static boolean isReadAndAllowed(LimitReader reader, Decision decision) {
        return reader.read(decision) != 0 && decision.allowed();
    }

    private static RunningPath permits(Outcome outcome, TimeSource clocks) {
        Permits permits = LocalPermits.of(outcome.limit(), clocks);
        return new RunningPath(outcome, permits::tryAcquire, () -> {});
    }

    private static RunningPath table(Outcome outcome, TimeSource clocks) {
        ClientStore store = new ClientStore(outcome.limit(), clocks);
        return new RunningPath(outcome, () -> store.tryAcquire(CLIENT), () -> {});
    }

    private static RunningPath store(Outcome outcome, TimeSource clocks) {
        ClientStore store = new ClientStore(outcome.limit(), clocks);
        List<Charge> charges = store.chargesOf(CLIENT);
        return new RunningPath(outcome, () -> store.spend(charges), () -> {});
    }
}
