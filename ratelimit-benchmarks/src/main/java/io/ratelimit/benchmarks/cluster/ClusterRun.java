package io.ratelimit.benchmarks.cluster;

import io.ratelimit.benchmarks.Fact;
import io.ratelimit.benchmarks.Markdown;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Runs scenarios one after the other, and reports. */
public final class ClusterRun {

    private final PrintStream progress;

    /**
     * Makes a run.
     *
     * @param progress where it says what it does
     */
    public ClusterRun(PrintStream progress) {
        this.progress = progress;
    }

    /**
     * Runs.
     *
     * @param facts what the figures depend on
     * @param files the scenarios
     * @return the report, in Markdown
     * @throws IOException if a scenario cannot be read, or a process fails
     * @throws InterruptedException if the thread is interrupted meanwhile
     */
    public String report(List<Fact> facts, List<Path> files) throws IOException, InterruptedException {
        Markdown report = new Markdown(facts);
        report.table(
                "Hosts that share budgets",
                "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
                List.of(
                        "scenario",
                        "sharing",
                        "hosts",
                        "requests",
                        "admitted",
                        "beyond the limit",
                        "false refusals",
                        "by onFailure",
                        "no answer",
                        "p50 / p99 µs",
                        "longest ms"));
        for (Path file : files) {
            Scenario scenario = Scenario.read(file);
            progress.println("# Cluster: " + scenario.name());
            Judgement judged = new ScenarioRun(scenario).run();
            progress.println("# " + judged);
            report.row(row(scenario, judged));
        }
        return report.toString();
    }

    private static List<String> row(Scenario scenario, Judgement judged) {
        return List.of(
                scenario.name(),
                scenario.sharing(),
                Integer.toString(scenario.hosts()),
                number(judged.requests()),
                number(judged.admitted()),
                String.format(Locale.ROOT, "%.1f", judged.excess()),
                number(judged.falseRefusals()),
                number(judged.unasked()),
                number(judged.broken()),
                number(judged.half() / 1_000) + " / " + number(judged.p99() / 1_000),
                String.format(Locale.ROOT, "%.1f", judged.longest() / 1e6));
    }

    private static String number(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }
}
