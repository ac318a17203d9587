package io.ratelimit.benchmarks.cluster;

import io.ratelimit.benchmarks.Fact;
import io.ratelimit.benchmarks.Markdown;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
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
     * @param files the scenarios, or matrices of them
     * @return the report, in Markdown
     * @throws IOException if a scenario cannot be read, or a process fails
     * @throws InterruptedException if the thread is interrupted meanwhile
     */
    public String report(List<Fact> facts, List<Path> files) throws IOException, InterruptedException {
        List<Finding> findings = new ArrayList<>();
        for (Path file : files) {
            for (List<List<Scenario>> cluster : Matrix.read(file).clusters()) {
                new ScenarioRun(cluster, finding -> {
                            progress.println("# " + finding.scenario().hosts() + " hosts, "
                                    + finding.scenario().sharing() + ", "
                                    + finding.scenario().name() + ": " + finding.judgement());
                            findings.add(finding);
                        })
                        .run();
            }
        }
        Markdown report = new Markdown(facts);
        addBounds(report, findings);
        List<Finding> faults = findings.stream()
                .filter(finding -> !finding.scenario().events().isEmpty())
                .toList();
        if (!faults.isEmpty()) {
            addFaults(report, faults);
        }
        return report.toString();
    }

    private static void addBounds(Markdown report, List<Finding> findings) {
        report.table(
                "Hosts that share budgets",
                "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
                List.of(
                        "scenario",
                        "sharing",
                        "hosts",
                        "requests",
                        "admitted",
                        "of the bound",
                        "beyond B + R·w",
                        "false refusals",
                        "by onFailure",
                        "no answer",
                        "p50 / p99 ms",
                        "longest ms"));
        for (Finding finding : findings) {
            Scenario scenario = finding.scenario();
            Judgement judged = finding.judgement();
            report.row(List.of(
                    scenario.name(),
                    scenario.sharing(),
                    Integer.toString(scenario.hosts()),
                    number(judged.requests()),
                    number(judged.admitted()),
                    String.format(Locale.ROOT, "%.3f", judged.ofBound()),
                    String.format(
                            Locale.ROOT,
                            "%.1f of %.1f",
                            judged.excess(),
                            judged.bounds().excess()),
                    number(judged.falseRefusals()),
                    number(judged.unasked()),
                    number(judged.broken()),
                    millis(judged.latency().half()) + " / "
                            + millis(judged.latency().p99()),
                    millis(judged.latency().longest())));
        }
    }

    private static void addFaults(Markdown report, List<Finding> findings) {
        report.table(
                "Faults: p50 / p99 / longest in milliseconds, at hosts that run",
                "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
                List.of("scenario", "sharing", "before", "first second", "after that", "recovered", "heap", "threads"));
        for (Finding finding : findings) {
            report.row(List.of(
                    finding.scenario().name(),
                    finding.scenario().sharing(),
                    latency(finding.quiet()),
                    latency(finding.firstSecond()),
                    latency(finding.meanwhile()),
                    String.format(Locale.ROOT, "%.0f s after the end", finding.recovery()),
                    String.format(Locale.ROOT, "%+.1f %%", 100 * finding.heapGrowth()),
                    String.format(Locale.ROOT, "%+d", finding.moreThreads())));
        }
    }

    private static String latency(Latency latency) {
        return millis(latency.half()) + " / " + millis(latency.p99()) + " / " + millis(latency.longest());
    }

    private static String millis(long nanos) {
        return String.format(Locale.ROOT, nanos < 10_000_000 ? "%.2f" : "%.0f", nanos / 1e6);
    }

    private static String number(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }
}
