package io.ratelimit.benchmarks;

import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.rules.Limit;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The whole decision for one client whom all threads ask for: the rule is found among ten, the client's key is built,
 * its buckets are charged. Whoever writes headers reads the limits; others only ask whether the request may pass.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HotDecisionBenchmark {

    private static final int RULES = 10;
    private static final String CLIENT = "client-000000001";

    /** Whether requests pass. */
    @Param({"ADMITTED", "REFUSED"})
    public Outcome outcome = Outcome.ADMITTED;

    private BenchmarkRequest request;
    private RateLimitEngine oneLimit;
    private RateLimitEngine byHeader;
    private RateLimitEngine twoLimits;
    private RulesOverHttp silentService;
    private RateLimitEngine following;
    private RulesOverHttp curiousService;
    private RateLimitEngine reporting;

    /** A reader for each thread. */
    @State(Scope.Thread)
    public static class Reading {

        private final LimitReader reader = new LimitReader();
    }

    /** Starts the engines and takes the first token of each. */
    @Setup
    public void start() {
        List<Limit> one = List.of(outcome.limit());
        List<Limit> two = List.of(outcome.limit(), TestedLimits.NEVER_REFUSES_EITHER);
        RulesText rules = new RulesText("user", RULES, one);
        request = new BenchmarkRequest(rules.path(), CLIENT);
        oneLimit = RunningEngine.of(rules);
        byHeader = RunningEngine.of(new RulesText("header:" + BenchmarkRequest.HEADER, RULES, one));
        twoLimits = RunningEngine.of(new RulesText("user", RULES, two));
        silentService = new RulesOverHttp(rules, false);
        following = RunningEngine.following(silentService, rules);
        curiousService = new RulesOverHttp(rules, true);
        reporting = RunningEngine.following(curiousService, rules);
        ourDecisionFollowing();
        ourDecisionReported();
        ourDecision();
        ourDecisionByHeader();
        ourDecisionTwoLimits();
        check();
    }

    /** Ends the engines, if they answer as they should. */
    @TearDown
    public void stop() {
        check();
        oneLimit.close();
        byHeader.close();
        twoLimits.close();
        following.close();
        silentService.close();
        reporting.close();
        curiousService.close();
    }

    private void check() {
        outcome.check("our decision", ourDecision());
        outcome.check("our decision by header", ourDecisionByHeader());
        outcome.check("our decision with two limits", ourDecisionTwoLimits());
    }

    /** One limit, the client told apart by login. */
    @Benchmark
    public boolean ourDecision() {
        return oneLimit.limiter().allowRequest(request);
    }

    /** One limit, the rules from a service that wants no reports. */
    @Benchmark
    public boolean ourDecisionFollowing() {
        return following.limiter().allowRequest(request);
    }

    /** One limit, the rules from a service that wants reports, single requests included. */
    @Benchmark
    public boolean ourDecisionReported() {
        return reporting.limiter().allowRequest(request);
    }

    /** One limit, whose state is read for headers. */
    @Benchmark
    public long ourDecisionRead(Reading reading) {
        return reading.reader.read(oneLimit.limiter().decide(request));
    }

    /** One limit, the client told apart by a header. */
    @Benchmark
    public boolean ourDecisionByHeader() {
        return byHeader.limiter().allowRequest(request);
    }

    /** Two limits. */
    @Benchmark
    public boolean ourDecisionTwoLimits() {
        return twoLimits.limiter().allowRequest(request);
    }

    /** Two limits, whose states are read for headers. */
    @Benchmark
    public long ourDecisionTwoLimitsRead(Reading reading) {
        return reading.reader.read(twoLimits.limiter().decide(request));
    }
}
