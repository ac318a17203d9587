package io.ratelimit.benchmarks.simulation;

import io.ratelimit.benchmarks.Fact;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Simulates hosts that share budgets eventually: once, and prints what was found, or often, for a report. */
@Command(
        name = "simulate",
        mixinStandardHelpOptions = true,
        description =
                "Simulates hosts with sharing: eventual, the shipped classes over a network that does not exist, and"
                        + " prints what was found. The same seed gives the same run.")
public final class SimulationRun implements Callable<Integer> {

    private final Supplier<List<Fact>> facts;
    private final PrintStream out;
    private final PrintStream progress;

    @Mixin
    private final Scenario scenario = new Scenario();

    @Option(
            names = "--report",
            paramLabel = "DIR",
            description =
                    "instead of one run all those of the report, with up to 30,000 hosts: some hours of processor time."
                            + " What was found is kept in findings.tsv there and not simulated again")
    private @Nullable Path report;

    @Option(
            names = "--at-once",
            paramLabel = "N",
            description = "how many processes simulate at a time for a report, up to 8 GiB each; default 1")
    private int atOnce = 1;

    /**
     * Makes a run.
     *
     * @param facts what a report says that its figures depend on
     * @param out where it says what was found
     * @param progress where it says what it does
     */
    public SimulationRun(Supplier<List<Fact>> facts, PrintStream out, PrintStream progress) {
        this.facts = facts;
        this.out = out;
        this.progress = progress;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (report != null) {
            new ReportRun(facts.get(), report, Math.max(1, atOnce), progress).run(SimulationPlan.all());
            return CommandLine.ExitCode.OK;
        }
        try {
            scenario.check();
        } catch (IllegalArgumentException wrong) {
            progress.println(wrong.getMessage());
            return CommandLine.ExitCode.USAGE;
        }
        Findings found = new Simulation(scenario).run();
        found.figures()
                .forEach((figure, value) ->
                        out.println(String.format(Locale.ROOT, "%-45s %,14.3f", figure.title(), value)));
        return CommandLine.ExitCode.OK;
    }
}
