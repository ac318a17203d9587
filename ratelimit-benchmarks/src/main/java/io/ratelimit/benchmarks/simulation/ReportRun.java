package io.ratelimit.benchmarks.simulation;

import io.ratelimit.benchmarks.Fact;
import io.ratelimit.benchmarks.ForkedProgram;
import io.ratelimit.benchmarks.simulation.SimulationPlan.Planned;
import io.ratelimit.benchmarks.simulation.SimulationReport.Finding;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Makes all runs of a report that were not made before, each in a process of its own. */
final class ReportRun {

    private static final List<String> JVM_FLAGS = List.of("-Xmx8g", "-XX:+UseSerialGC");
    private static final String FINDINGS = "findings.tsv";

    private final Path directory;
    private final int atOnce;
    private final PrintStream progress;
    private final List<Fact> facts;

    /**
     * Makes a run.
     *
     * @param facts what the figures depend on
     * @param directory where the report comes, and what was found so far
     * @param atOnce how many processes simulate at a time
     */
    ReportRun(List<Fact> facts, Path directory, int atOnce, PrintStream progress) {
        this.facts = List.copyOf(facts);
        this.directory = directory;
        this.atOnce = atOnce;
        this.progress = progress;
    }

    void run(List<Planned> plan) throws IOException, InterruptedException {
        Files.createDirectories(directory);
        KnownFindings known = KnownFindings.in(directory.resolve(FINDINGS));
        ExecutorService workers = Executors.newFixedThreadPool(atOnce);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (Planned planned : plan) {
                if (known.of(planned) == null) {
                    running.add(workers.submit(() -> {
                        simulate(planned, known);
                        write(plan, known);
                        return null;
                    }));
                }
            }
            for (Future<?> each : running) {
                each.get();
            }
        } catch (ExecutionException e) {
            throw new IOException("a run of the report failed: " + e.getMessage(), e);
        } finally {
            workers.shutdownNow();
        }
        write(plan, known);
    }

    /** All that is known so far, so that a report can be looked at while it grows. */
    private synchronized void write(List<Planned> plan, KnownFindings known) throws IOException {
        List<Finding> findings = new ArrayList<>();
        for (Planned planned : plan) {
            Findings found = known.of(planned);
            if (found != null) {
                findings.add(new Finding(planned, found));
            }
        }
        new SimulationReport(facts, findings).write(directory);
    }

    private void simulate(Planned planned, KnownFindings known) throws IOException, InterruptedException {
        String said = new ForkedProgram(SimulationProcess.class, JVM_FLAGS).run(planned.options());
        Findings found = said.lines()
                .flatMap(Findings::ofLine)
                .findFirst()
                .orElseThrow(() -> new IOException(planned.key() + " has found nothing"));
        known.add(planned, found);
        progress.println("# " + planned.key() + ": " + Math.round(found.get(Findings.Figure.SECONDS)) + " s");
    }
}
