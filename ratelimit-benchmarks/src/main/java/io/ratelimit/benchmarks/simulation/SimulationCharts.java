package io.ratelimit.benchmarks.simulation;

import io.ratelimit.benchmarks.simulation.Findings.Figure;
import io.ratelimit.benchmarks.simulation.Scenario.Topology;
import io.ratelimit.benchmarks.simulation.SimulationPlan.Section;
import io.ratelimit.benchmarks.simulation.SimulationReport.Finding;
import io.ratelimit.benchmarks.simulation.SvgChart.Colour;
import io.ratelimit.benchmarks.simulation.SvgChart.Line;
import io.ratelimit.benchmarks.simulation.SvgChart.Point;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** What becomes of it with more hosts, where they are asked for ten times the limit. Immutable. */
final class SimulationCharts {

    private static final double LOAD = 10;
    private static final double LOSS = 0.3;
    private static final List<Integer> COMPUTED_OF_A_MESH = List.of(1_000, 10_000);

    private final List<Finding> findings;

    /** Draws what was found. */
    SimulationCharts(List<Finding> findings) {
        this.findings = findings.stream()
                .filter(finding -> finding.run().section() == Section.OVERLOAD)
                .filter(finding -> finding.scenario().load() == LOAD)
                .toList();
    }

    Map<String, SvgChart> byFile() {
        Map<String, SvgChart> charts = new LinkedHashMap<>();
        charts.put("messages.svg", messages());
        charts.put("all-know.svg", allKnow());
        charts.put("long-run.svg", longRun());
        charts.put("excess.svg", excess());
        return charts;
    }

    private SvgChart messages() {
        List<Line> lines = new ArrayList<>();
        for (Topology topology : Topology.values()) {
            lines.add(line(topology, "", 0, Figure.MESSAGES));
        }
        lines.add(new Line("mesh, computed", colour(Topology.MESH), true, computedOfMesh()));
        lines.add(new Line(
                "leader, busiest host",
                colour(Topology.LEADER),
                true,
                points(Topology.LEADER, 0, Figure.MOST_MESSAGES)));
        return chart("Messages that a host sends each second", "messages", lines);
    }

    /** Each host tells all others as often as it does in the largest mesh that was simulated. */
    private List<Point> computedOfMesh() {
        return of(Topology.MESH, 0)
                .reduce((smaller, larger) -> larger)
                .map(largest -> {
                    int hosts = largest.scenario().hosts();
                    double times = largest.get(Figure.MESSAGES) / (hosts - 1);
                    return Stream.concat(Stream.of(hosts), COMPUTED_OF_A_MESH.stream())
                            .map(count -> new Point(count, times * (count - 1)))
                            .toList();
                })
                .orElse(List.of());
    }

    private SvgChart allKnow() {
        List<Line> lines = new ArrayList<>();
        for (Topology topology : Topology.values()) {
            lines.add(line(topology, ", all (mean)", 0, Figure.MEAN_KNOWN));
            lines.add(new Line(
                    topology.title() + ", 99 % of hosts",
                    colour(topology),
                    true,
                    points(topology, 0, Figure.P99_KNOW)));
        }
        return chart("Time until others know what a host has spent", "milliseconds", lines);
    }

    private SvgChart longRun() {
        List<Line> lines = new ArrayList<>();
        for (Topology topology : Topology.values()) {
            lines.add(line(topology, "", 0, Figure.LONG_RUN));
            lines.add(new Line(
                    topology.title() + ", 30 % lost", colour(topology), true, points(topology, LOSS, Figure.LONG_RUN)));
        }
        DoubleSummaryStatistics all = values(lines);
        double away = Math.max(0.02, Math.max(all.getMax() - 1, 1 - all.getMin()) + 0.005);
        double step = Math.pow(10, Math.floor(Math.log10(away)));
        Axis up = Axis.linear("admitted ÷ limit", 1 - away, 1 + away, step);
        return new SvgChart("Admitted in the long run, ÷ limit", hosts(), up, lines);
    }

    private SvgChart excess() {
        List<Line> lines = new ArrayList<>();
        for (Topology topology : Topology.values()) {
            lines.add(new Line(topology.title(), colour(topology), false, bursts(topology, Figure.EXCESS)));
            lines.add(new Line(topology.title() + ", bound", colour(topology), true, bursts(topology, Figure.BOUND)));
        }
        return chart("Too much at the beginning of an overload, in bursts", "bursts", lines);
    }

    private static SvgChart chart(String title, String unit, List<Line> lines) {
        DoubleSummaryStatistics all = values(lines);
        return new SvgChart(title, hosts(), Axis.logarithmic(unit, all.getMin(), all.getMax()), lines);
    }

    private static DoubleSummaryStatistics values(List<Line> lines) {
        return lines.stream()
                .flatMap(line -> line.points().stream())
                .mapToDouble(Point::up)
                .filter(value -> value > 0)
                .summaryStatistics();
    }

    private Line line(Topology topology, String more, double loss, Figure figure) {
        return new Line(topology.title() + more, colour(topology), false, points(topology, loss, figure));
    }

    private static Axis hosts() {
        return Axis.logarithmic("hosts", 3, 30_000);
    }

    private static Colour colour(Topology topology) {
        return switch (topology) {
            case MESH -> Colour.GREY;
            case GOSSIP -> Colour.ORANGE;
            case LEADER -> Colour.BLUE;
        };
    }

    private List<Point> bursts(Topology topology, Figure figure) {
        return points(
                topology, 0, finding -> finding.get(figure) / finding.scenario().burst());
    }

    private List<Point> points(Topology topology, double loss, Figure figure) {
        return points(topology, loss, finding -> finding.get(figure));
    }

    private List<Point> points(Topology topology, double loss, ToDoubleFunction<Finding> value) {
        return of(topology, loss)
                .map(finding -> new Point(finding.scenario().hosts(), value.applyAsDouble(finding)))
                .toList();
    }

    private Stream<Finding> of(Topology topology, double loss) {
        return findings.stream()
                .filter(finding -> finding.scenario().topology() == topology
                        && finding.scenario().loss() == loss);
    }
}
