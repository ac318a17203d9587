package io.ratelimit.benchmarks.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.benchmarks.Fact;
import io.ratelimit.benchmarks.simulation.Findings.Figure;
import io.ratelimit.benchmarks.simulation.SimulationPlan.Planned;
import io.ratelimit.benchmarks.simulation.SimulationReport.Finding;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimulationReportTest {

    private static final List<Planned> PLAN = SimulationPlan.all();

    @TempDir
    private Path directory;

    @Test
    void eachRunIsARowAndNoRunIsPlannedTwice() {
        String report = new SimulationReport(List.of(new Fact("JDK", "17")), findings()).toMarkdown();
        assertThat(report.lines().filter(line -> line.startsWith("| mesh") || line.startsWith("| gossip")))
                .hasSizeGreaterThan(30);
        assertThat(report)
                .contains("| JDK | 17 |")
                .contains("| leader | 30,000 | `--load=10 --loss=0 --duration=5` | 1.000 (1.000) |");
        assertThat(PLAN.stream().map(Planned::key)).doesNotHaveDuplicates();
    }

    @Test
    void whatTheManualHasFoundIsOfRunsThatAreStillPlanned() throws Exception {
        List<String> known = Files.readAllLines(Path.of("../docs/simulation.tsv")).stream()
                .map(line -> line.substring(0, line.indexOf('\t')))
                .toList();
        assertThat(PLAN.stream().map(Planned::key)).containsAll(known);
        assertThat(known).hasSizeGreaterThan(60).doesNotHaveDuplicates();
    }

    @Test
    void chartsAreSmallPicturesWithALineForEachTopology() throws Exception {
        new SimulationReport(List.of(), findings()).write(directory);
        for (String name : List.of("messages.svg", "all-know.svg", "long-run.svg", "excess.svg")) {
            String svg = Files.readString(directory.resolve(name));
            DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
            assertThat(svg).hasSizeLessThan(30_000).contains(">mesh", ">gossip", ">leader", "prefers-color-scheme");
        }
    }

    @Test
    void messagesOfALargeMeshAreComputedFromTheLargestThatWasSimulated() throws Exception {
        new SimulationReport(List.of(), findings()).write(directory);
        assertThat(Files.readString(directory.resolve("messages.svg"))).contains("mesh, computed");
    }

    @Test
    void whatWasFoundBeforeIsRemembered() throws Exception {
        Path file = directory.resolve("findings.tsv");
        Planned run = PLAN.get(0);
        KnownFindings.in(file).add(run, found());
        assertThat(KnownFindings.in(file).of(run)).isEqualTo(found());
        assertThat(KnownFindings.in(file).of(PLAN.get(1))).isNull();
    }

    private static List<Finding> findings() {
        return PLAN.stream().map(run -> new Finding(run, found())).toList();
    }

    private static Findings found() {
        Map<Figure, Double> figures = new EnumMap<>(Figure.class);
        for (Figure figure : Figure.values()) {
            figures.put(figure, 100.0);
        }
        figures.put(Figure.LONG_RUN, 1.0);
        figures.put(Figure.TREND, 1.0);
        return new Findings(figures);
    }
}
