package io.ratelimit.benchmarks;

import io.ratelimit.benchmarks.cluster.ClusterRun;
import io.ratelimit.benchmarks.daemon.DaemonRun;
import io.ratelimit.benchmarks.filter.FilterEffort;
import io.ratelimit.benchmarks.filter.FilterMeasurement;
import io.ratelimit.benchmarks.filter.FilterRun;
import io.ratelimit.benchmarks.group.GroupRun;
import io.ratelimit.benchmarks.redis.RedisRun;
import io.ratelimit.benchmarks.scale.ScaleRun;
import io.ratelimit.benchmarks.shared.SharedRun;
import io.ratelimit.benchmarks.simulation.SimulationRun;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.runner.NoBenchmarksException;
import org.openjdk.jmh.runner.RunnerException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs all benchmarks and prints the report. */
@Command(
        name = "ratelimit-benchmarks",
        mixinStandardHelpOptions = true,
        description = "Measures speed and memory beside other limiters, and prints a report in Markdown."
                + " What it does meanwhile goes to standard error.")
public final class BenchmarkRun implements Callable<Integer> {

    private static final int CLIENTS = 1_000_000;

    /**
     * A heap of one size, with a young generation that is soon used all over: as long as a program allocates in memory
     * that it never touched before, it is the machine's page faults that are measured. They made our decision ten times
     * slower.
     */
    private static final List<String> JVM_FLAGS = List.of("-Xms2g", "-Xmx2g", "-Xmn32m", "-XX:+UseG1GC");

    private final PrintStream out;
    private final PrintStream progress;

    @Option(
            names = "--quick",
            description = "about 5 minutes instead of 18: one thread, one round, figures that are only rough")
    private boolean quick;

    @Option(
            names = "--only",
            paramLabel = "REGEX",
            description =
                    "benchmarks whose name has this, such as Hot, ManyClients, memory or filter; with --scale such as heap,"
                            + " churn or decisions; the reference of a group"
                            + " has to be among them for ratios")
    private Pattern only = Pattern.compile("");

    @Option(
            names = "--scale",
            description =
                    "instead of all else: millions of clients, clients who come and go, memory by limit, decisions"
                            + " per core; about 17 minutes, with --quick about 6 and a tenth of the clients")
    private boolean scale;

    @Option(
            names = "--shared",
            description = "instead of all else: how long decisions take that three hosts share, beside Bucket4j on the"
                    + " same Hazelcast cluster; about 5 minutes")
    private boolean shared;

    @Option(
            names = "--redis",
            paramLabel = "URI",
            description =
                    "instead of all else: how long decisions take that hosts share in this Redis, beside Bucket4j and"
                            + " what the least call takes; memory too, for which it is emptied; about 8 minutes")
    private @Nullable String redis;

    @Option(
            names = "--group",
            paramLabel = "udp|tcp",
            description =
                    "instead of all else: hosts that tell one another what was spent, up to 20 in processes of their"
                            + " own; about 10 minutes, with --quick about 3 and with three hosts")
    private @Nullable String group;

    @Option(
            names = "--daemon",
            paramLabel = "SERVER-JAR",
            description =
                    "instead of all else: how long decisions of a daemon take, over HTTP, a Unix domain socket and"
                            + " gRPC, beside the library; about 4 minutes")
    private @Nullable Path daemon;

    @Option(
            names = "--cluster",
            paramLabel = "SCENARIO",
            arity = "1..*",
            description = "instead of all else: hosts that share budgets, in processes of their own, under the load and"
                    + " the faults that these files describe")
    private List<Path> scenarios = List.of();

    @Option(names = "--out", paramLabel = "FILE", description = "writes the report to a file too")
    private @Nullable Path file;

    BenchmarkRun(PrintStream out, PrintStream progress) {
        this.out = out;
        this.progress = progress;
    }

    /**
     * Runs.
     *
     * @param args see {@code --help}
     */
    public static void main(String[] args) {
        SimulationRun simulation =
                new SimulationRun(() -> new Machine(Clock.systemUTC()).facts(), System.out, System.err);
        System.exit(new CommandLine(new BenchmarkRun(System.out, System.err))
                .addSubcommand(simulation)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(args));
    }

    @Override
    public Integer call() throws RunnerException, IOException, InterruptedException {
        if (group != null && !GroupRun.TRANSPORTS.contains(group)) {
            progress.println("--group is '" + group + "': it must be udp or tcp");
            return CommandLine.ExitCode.USAGE;
        }
        Optional<String> report = report();
        if (report.isEmpty()) {
            progress.println("--only: no benchmark has '" + only + "' in its name; --help names some that there are");
            return CommandLine.ExitCode.USAGE;
        }
        out.print(report.get());
        if (file != null) {
            Files.writeString(file, report.get());
        }
        return CommandLine.ExitCode.OK;
    }

    private Optional<String> report() throws RunnerException, IOException, InterruptedException {
        if (scale) {
            return scale();
        }
        if (shared) {
            return Optional.of(new SharedRun(progress).report(new Machine(Clock.systemUTC()).facts()));
        }
        if (group != null) {
            return Optional.of(new GroupRun(group, quick, progress).report(new Machine(Clock.systemUTC()).facts()));
        }
        if (redis != null) {
            return Optional.of(new RedisRun(redis, progress).report(new Machine(Clock.systemUTC()).facts()));
        }
        if (daemon != null) {
            return Optional.of(new DaemonRun(daemon, progress).report(new Machine(Clock.systemUTC()).facts()));
        }
        return scenarios.isEmpty() ? speedAndMemory() : Optional.of(cluster());
    }

    private Optional<String> scale() throws IOException, InterruptedException {
        ScaleRun run = new ScaleRun(quick, progress);
        return run.has(only.asPredicate())
                ? Optional.of(run.report(new Machine(Clock.systemUTC()).facts(), only.asPredicate()))
                : Optional.empty();
    }

    private String cluster() throws IOException, InterruptedException {
        return new ClusterRun(progress).report(new Machine(Clock.systemUTC()).facts(), scenarios);
    }

    private Optional<String> speedAndMemory() throws RunnerException, IOException, InterruptedException {
        Effort effort = quick ? Effort.QUICK : Effort.FULL;
        List<Fact> facts = facts(effort);
        List<Footprint> footprints = memory();
        List<FilterMeasurement> filters = filters();
        List<Measurement> speeds = speed(effort);
        if (speeds.isEmpty() && footprints.isEmpty() && filters.isEmpty()) {
            return Optional.empty();
        }
        Results results = new Results(speeds, footprints, filters);
        return Optional.of(new Report(facts, results, DesignBudgets.all()).toMarkdown());
    }

    private List<Fact> facts(Effort effort) {
        List<Fact> facts = new ArrayList<>(new Machine(Clock.systemUTC()).facts());
        facts.add(new Fact("JVM flags", String.join(" ", JVM_FLAGS)));
        facts.add(new Fact("each benchmark", effort.toString()));
        facts.add(new Fact("servers of the filters", filterEffort() + "; " + FilterRun.jvmFlags()));
        return facts;
    }

    private List<Measurement> speed(Effort effort) throws RunnerException {
        try {
            return new SpeedRun(effort, JVM_FLAGS, only.pattern(), progress).measure();
        } catch (NoBenchmarksException onlyMemory) {
            return List.of();
        }
    }

    private List<Footprint> memory() throws IOException, InterruptedException {
        return new FootprintRun(JVM_FLAGS, CLIENTS, progress).measure(only.asPredicate());
    }

    private List<FilterMeasurement> filters() throws IOException, InterruptedException {
        return new FilterRun(filterEffort(), progress).measure(only.asPredicate());
    }

    private FilterEffort filterEffort() {
        return quick ? FilterEffort.QUICK : FilterEffort.FULL;
    }
}
