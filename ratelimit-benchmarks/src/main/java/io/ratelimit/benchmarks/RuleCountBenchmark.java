package io.ratelimit.benchmarks;

import io.ratelimit.core.RateLimitEngine;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What the number of rules costs a request that one of them matches. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RuleCountBenchmark {

    private static final int FEW = 10;
    private static final int MANY = 10_000;
    private static final String CLIENT = "client-000000001";

    private RateLimitEngine few;
    private RateLimitEngine many;
    private BenchmarkRequest amongFew;
    private BenchmarkRequest amongMany;

    /** Starts the engines. */
    @Setup
    public void start() {
        RulesText fewRules = new RulesText("user", FEW, List.of(TestedLimits.NEVER_REFUSES));
        RulesText manyRules = new RulesText("user", MANY, List.of(TestedLimits.NEVER_REFUSES));
        few = RunningEngine.of(fewRules);
        many = RunningEngine.of(manyRules);
        amongFew = new BenchmarkRequest(fewRules.path(), CLIENT);
        amongMany = new BenchmarkRequest(manyRules.path(), CLIENT);
        Outcome.ADMITTED.check("the decision among few rules", tenRules());
        Outcome.ADMITTED.check("the decision among many rules", tenThousandRules());
    }

    /** Ends the engines. */
    @TearDown
    public void stop() {
        few.close();
        many.close();
    }

    /** Ten rules. */
    @Benchmark
    public boolean tenRules() {
        return few.limiter().allowRequest(amongFew);
    }

    /** Ten thousand rules. */
    @Benchmark
    public boolean tenThousandRules() {
        return many.limiter().allowRequest(amongMany);
    }
}
