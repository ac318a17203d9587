package io.ratelimit.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What was measured of the paths, in a file of the build that can be looked at, compared and put in place of a record. */
final class MeasuredFigures {

    private final String name;
    private final List<String> lines = new ArrayList<>();

    MeasuredFigures(String name) {
        this.name = name;
    }

    void add(GuardedPath path, long figure) {
        lines.add(path.key() + " = " + figure);
    }

    void write() throws IOException {
        Path folder = Files.createDirectories(Path.of("target"));
        Files.write(folder.resolve(name), lines);
    }
}
