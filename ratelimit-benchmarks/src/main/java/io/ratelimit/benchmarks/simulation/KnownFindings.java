package io.ratelimit.benchmarks.simulation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What earlier runs have found, in a file with a line for each, so that a report can go on where it was ended. Thread-safe. */
final class KnownFindings {

    private static final String SEPARATOR = "\t";

    private final Path file;
    private final Map<String, Findings> byKey = new LinkedHashMap<>();

    private KnownFindings(Path file) {
        this.file = file;
    }

    /** Reads the file, if there is one. */
    static KnownFindings in(Path file) throws IOException {
        KnownFindings known = new KnownFindings(file);
        if (Files.exists(file)) {
            for (String line : Files.readAllLines(file)) {
                int end = line.indexOf(SEPARATOR);
                if (end > 0) {
                    Findings.ofLine(line.substring(end + 1))
                            .forEach(findings -> known.byKey.put(line.substring(0, end), findings));
                }
            }
        }
        return known;
    }

    synchronized @Nullable Findings of(SimulationPlan.Planned run) {
        return byKey.get(run.key());
    }

    synchronized void add(SimulationPlan.Planned run, Findings found) throws IOException {
        byKey.put(run.key(), found);
        Files.write(
                file,
                List.of(run.key() + SEPARATOR + found.toLine()),
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }
}
