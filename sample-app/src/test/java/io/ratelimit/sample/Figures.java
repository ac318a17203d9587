package io.ratelimit.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** What the tests measured, one file for each of them below {@code target/figures}. */
final class Figures {

    private final Path file;
    private final StringBuilder lines = new StringBuilder();

    Figures(String name) {
        this.file = Path.of(System.getProperty("sample.figures", "target/figures"), name + ".txt");
    }

    void add(String line) {
        lines.append(line).append('\n');
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void addLatencies(String what, List<Duration> latencies) {
        List<Duration> sorted = latencies.stream().sorted().toList();
        add(String.format(
                Locale.ROOT,
                "%s: %d requests, p50 %.1f ms, p99 %.1f ms, max %.1f ms",
                what,
                sorted.size(),
                millis(sorted, 0.5),
                millis(sorted, 0.99),
                millis(sorted, 1)));
    }

    private static double millis(List<Duration> sorted, double quantile) {
        if (sorted.isEmpty()) {
            return Double.NaN;
        }
        int rank = (int) Math.ceil(quantile * sorted.size());
        return sorted.get(Math.max(rank, 1) - 1).toNanos() / 1e6;
    }
}
