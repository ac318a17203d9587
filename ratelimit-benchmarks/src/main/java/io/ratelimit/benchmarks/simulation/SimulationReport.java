package io.ratelimit.benchmarks.simulation;

import io.ratelimit.benchmarks.Fact;
import io.ratelimit.benchmarks.Markdown;
import io.ratelimit.benchmarks.simulation.Findings.Figure;
import io.ratelimit.benchmarks.simulation.SimulationPlan.Planned;
import io.ratelimit.benchmarks.simulation.SimulationPlan.Section;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** All runs as tables in Markdown, and as charts. Immutable. */
final class SimulationReport {

    private static final String PAGE = "report.md";
    private static final double BYTES_PER_KILOBYTE = 1e3;
    private static final double PERCENT = 100;

    private final List<Fact> facts;
    private final List<Finding> findings;

    /** What was found in a run. */
    record Finding(Planned run, Findings found) {

        double get(Figure figure) {
            return found.get(figure);
        }

        Scenario scenario() {
            return run.scenario();
        }
    }

    SimulationReport(List<Fact> facts, List<Finding> findings) {
        this.facts = List.copyOf(facts);
        this.findings = findings.stream()
                .sorted(Comparator.comparing(
                                (Finding finding) -> finding.scenario().topology())
                        .thenComparing(finding -> finding.scenario().hosts()))
                .toList();
    }

    void write(Path directory) throws IOException {
        Files.writeString(directory.resolve(PAGE), toMarkdown());
        for (Map.Entry<String, SvgChart> chart :
                new SimulationCharts(findings).byFile().entrySet()) {
            Files.writeString(
                    directory.resolve(chart.getKey()), chart.getValue().toSvg());
        }
    }

    String toMarkdown() {
        Markdown text = new Markdown(facts);
        for (Section section : Section.values()) {
            addTable(text, section);
        }
        return text.toString();
    }

    private void addTable(Markdown text, Section section) {
        text.table(
                section.title(),
                "| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
                List.of(
                        "topology",
                        "hosts",
                        "load",
                        "admitted ÷ limit (trend)",
                        "by the busiest host (hosts that admit)",
                        "burst excess ÷ burst (bound)",
                        "false refusals",
                        "messages of a host and second (busiest)",
                        "kB",
                        "all know after ms (longest)",
                        "99 % know",
                        "probes that not all knew of"));
        findings.stream()
                .filter(finding -> finding.run().section() == section)
                .forEach(finding -> text.row(row(finding)));
    }

    private static List<String> row(Finding finding) {
        Scenario scenario = finding.scenario();
        double burst = scenario.burst();
        double probes = finding.get(Figure.PROBES) + finding.get(Figure.UNKNOWN_PROBES);
        return List.of(
                scenario.topology().title(),
                hosts(scenario),
                load(finding.run()),
                number(finding.get(Figure.LONG_RUN), 3) + trend(finding),
                number(PERCENT * finding.get(Figure.MOST_OF_ONE_HOST), 0) + " % ("
                        + number(PERCENT * finding.get(Figure.ADMITTING_HOSTS), 0) + " %)",
                number(finding.get(Figure.EXCESS) / burst, 2) + " (" + number(finding.get(Figure.BOUND) / burst, 2)
                        + ")",
                refusals(finding),
                number(finding.get(Figure.MESSAGES), 0) + " (" + number(finding.get(Figure.MOST_MESSAGES), 0) + ")",
                number(finding.get(Figure.BYTES) / BYTES_PER_KILOBYTE, 1),
                number(finding.get(Figure.MEAN_KNOWN), 0) + " (" + number(finding.get(Figure.MOST_KNOWN), 0) + ")",
                number(finding.get(Figure.P99_KNOW), 0),
                number(finding.get(Figure.UNKNOWN_PROBES), 0) + " of " + number(probes, 0));
    }

    private static String trend(Finding finding) {
        double trend = finding.get(Figure.TREND);
        return Double.isNaN(trend) ? "" : " (" + number(trend, 3) + ")";
    }

    private static String hosts(Scenario scenario) {
        String all = number(scenario.hosts(), 0);
        return scenario.asked() == scenario.hosts() ? all : all + ", " + scenario.asked() + " asked";
    }

    /** What distinguishes a run from others of its topology and size. */
    private static String load(Planned run) {
        String options = String.join(" ", run.options().subList(2, run.options().size()));
        return '`' + options.replaceAll(" ?--(settling|asked)=\\S+", "") + '`';
    }

    private static String refusals(Finding finding) {
        double asked = finding.get(Figure.ASKED_BELOW);
        double refused = finding.get(Figure.REFUSED_BELOW);
        return asked == 0
                ? ""
                : number(refused, 0) + " of " + number(asked, 0)
                        + (refused == 0 ? "" : ", " + number(PERCENT * refused / asked, 3) + " %");
    }

    private static String number(double value, int decimals) {
        return Double.isNaN(value) || value < 0 ? "" : String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }
}
