package io.ratelimit.benchmarks.scale;

import io.ratelimit.benchmarks.Fact;
import io.ratelimit.benchmarks.ForkedProgram;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Measures with millions of clients and with several threads, each time in a process of its own. */
public final class ScaleRun {

    private final ScaleEffort effort;
    private final PrintStream progress;

    /**
     * Makes a run.
     *
     * @param quick whether a tenth of the clients will do
     * @param progress where it says what it does
     */
    public ScaleRun(boolean quick, PrintStream progress) {
        this.effort = quick ? ScaleEffort.QUICK : ScaleEffort.FULL;
        this.progress = progress;
    }

    /**
     * Measures.
     *
     * @param facts what the figures depend on
     * @param wanted which measurements, by name
     * @return the report, in Markdown
     * @throws IOException if a process cannot be started or fails
     * @throws InterruptedException if the thread is interrupted meanwhile
     */
    public String report(List<Fact> facts, Predicate<String> wanted) throws IOException, InterruptedException {
        List<Fact> all = new ArrayList<>(facts);
        all.add(new Fact("JVM flags", ScalePlan.flags()));
        return new ScaleReport(all, measure(wanted)).toMarkdown();
    }

    /**
     * Whether there is anything to measure.
     *
     * @param wanted which measurements, by name
     * @return true if one of them is wanted
     */
    public boolean has(Predicate<String> wanted) {
        return ScalePlan.of(effort).stream().anyMatch(planned -> wanted.test(planned.name()));
    }

    private List<Row> measure(Predicate<String> wanted) throws IOException, InterruptedException {
        List<Row> rows = new ArrayList<>();
        for (ScalePlan.Planned planned : ScalePlan.of(effort)) {
            if (wanted.test(planned.name())) {
                progress.println("# Scale: " + planned.name());
                ForkedProgram program = new ForkedProgram(ScaleProcess.class, planned.jvmFlags());
                String said = program.run(List.of(effort.name(), planned.name()));
                Stream<Row> found = said.lines().flatMap(Row::ofLine);
                rows.addAll(found.toList());
            }
        }
        return rows;
    }
}
