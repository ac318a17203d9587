package io.ratelimit.benchmarks;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.util.Statistics;

/** Runs the benchmarks with each number of threads, in rounds. */
final class SpeedRun {

    private static final String ALLOCATED = "gc.alloc.rate.norm";

    private final Effort effort;
    private final List<String> jvmFlags;
    private final String only;
    private final OutputFormat progress;

    /**
     * Makes a run.
     *
     * @param jvmFlags flags of the processes that measure
     * @param only a regular expression for the names of benchmarks
     * @param progress where JMH says what it does
     */
    SpeedRun(Effort effort, List<String> jvmFlags, String only, PrintStream progress) {
        this.effort = effort;
        this.jvmFlags = List.copyOf(jvmFlags);
        this.only = only;
        this.progress = OutputFormatFactory.createFormatInstance(progress, VerboseMode.NORMAL);
    }

    /**
     * Measures.
     *
     * @return one measurement for each benchmark and number of threads, ordered by group, threads and name
     * @throws RunnerException if a benchmark fails
     */
    List<Measurement> measure() throws RunnerException {
        Map<Key, List<BenchmarkResult>> results = new LinkedHashMap<>();
        Map<Key, BenchmarkParams> params = new LinkedHashMap<>();
        for (int round = 0; round < effort.rounds(); round++) {
            for (int threads = 1; threads <= effort.mostThreads(); threads++) {
                for (RunResult result : run(threads)) {
                    Key key = Key.of(result.getParams());
                    params.putIfAbsent(key, result.getParams());
                    results.computeIfAbsent(key, first -> new ArrayList<>()).addAll(result.getBenchmarkResults());
                }
            }
        }
        return params.keySet().stream()
                .sorted()
                .map(key -> measurement(key, new RunResult(params.get(key), results.get(key))))
                .toList();
    }

    private Collection<RunResult> run(int threads) throws RunnerException {
        Options options = new OptionsBuilder()
                .include(only)
                .threads(threads)
                .forks(1)
                .warmupIterations(effort.warmupIterations())
                .warmupTime(TimeValue.milliseconds(effort.warmup().toMillis()))
                .measurementIterations(effort.iterations())
                .measurementTime(TimeValue.milliseconds(effort.iteration().toMillis()))
                .jvmArgs(jvmFlags.toArray(String[]::new))
                .addProfiler(GCProfiler.class)
                .addProfiler(ProcessorTimeProfiler.class)
                .shouldFailOnError(true)
                .build();
        return new Runner(options, progress).run();
    }

    private static Measurement measurement(Key key, RunResult result) {
        Result<?> time = result.getPrimaryResult();
        return new Measurement(
                key.group(),
                key.benchmark(),
                key.threads(),
                time.getScore(),
                time.getScoreError(),
                secondary(result, ALLOCATED),
                secondary(result, ProcessorTimeProfiler.LABEL));
    }

    private static double secondary(RunResult result, String label) {
        Result<?> found = result.getSecondaryResults().get(label);
        if (found == null) {
            return Double.NaN;
        }
        Statistics statistics = found.getStatistics();
        return statistics.getMean();
    }

    /** What the rounds have in common. */
    private record Key(Group group, String benchmark, int threads) implements Comparable<Key> {

        private static final Comparator<Key> ORDER =
                Comparator.comparing(Key::group).thenComparingInt(Key::threads).thenComparing(Key::benchmark);

        static Key of(BenchmarkParams params) {
            String name = params.getBenchmark();
            return new Key(groupOf(params), name.substring(name.lastIndexOf('.') + 1), params.getThreads());
        }

        private static Group groupOf(BenchmarkParams params) {
            if (params.getParamsKeys().contains("outcome")) {
                return Outcome.valueOf(params.getParam("outcome")) == Outcome.ADMITTED
                        ? Group.HOT_ADMITTED
                        : Group.HOT_REFUSED;
            }
            if (params.getParamsKeys().contains("clients")) {
                return params.getParam("clients").equals("1000000") ? Group.MILLION_CLIENTS : Group.HOT_CLIENTS;
            }
            return Group.RULES;
        }

        @Override
        public int compareTo(Key other) {
            return ORDER.compare(this, other);
        }
    }
}
