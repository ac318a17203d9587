package io.ratelimit.benchmarks.simulation;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What was found in a run. A process that simulates prints it as a line, and the one that reports reads it. Immutable. */
record Findings(Map<Figure, Double> figures) {

    private static final String MARK = "findings";
    private static final String SEPARATOR = "\t";

    /** What is found. */
    enum Figure {
        REQUESTS("requests"),
        LONG_RUN("admitted ÷ limit in the long run"),
        TREND("the same by the trend"),
        MOST_OF_ONE_HOST("part of that by the host that admits most"),
        ADMITTING_HOSTS("part of the hosts that admit something"),
        EXCESS("burst excess, tokens"),
        BOUND("bound of the burst excess, tokens"),
        ASKED_BELOW("requests of buckets below their limit"),
        REFUSED_BELOW("of these refused falsely"),
        MESSAGES("messages of a host and second"),
        MOST_MESSAGES("of the busiest host"),
        BYTES("bytes of a host and second"),
        MOST_BYTES("of the busiest host"),
        PROBES("probes that all knew of"),
        UNKNOWN_PROBES("probes that some did not know of"),
        MEAN_KNOWN("ms until all know, mean"),
        MOST_KNOWN("longest"),
        HALF_KNOW("ms until half of the hosts know"),
        P99_KNOW("ms until 99 % know"),
        SECONDS("seconds that the run took");

        private final String title;

        Figure(String title) {
            this.title = title;
        }

        String title() {
            return title;
        }
    }

    Findings {
        figures = Collections.unmodifiableMap(new EnumMap<>(figures));
    }

    double get(Figure figure) {
        return figures.getOrDefault(figure, Double.NaN);
    }

    /** All but how long the run took, which differs between equal runs. */
    Findings withoutSeconds() {
        Map<Figure, Double> fewer = new EnumMap<>(figures);
        fewer.remove(Figure.SECONDS);
        return new Findings(fewer);
    }

    String toLine() {
        return figures.entrySet().stream()
                .map(entry -> entry.getKey().name() + "=" + entry.getValue())
                .collect(Collectors.joining(SEPARATOR, MARK + SEPARATOR, ""));
    }

    /** The findings of a line; none if the line is something else that the process said. */
    static Stream<Findings> ofLine(String line) {
        String[] parts = line.split(SEPARATOR, -1);
        if (!parts[0].equals(MARK)) {
            return Stream.empty();
        }
        Map<Figure, Double> figures = new EnumMap<>(Figure.class);
        Arrays.stream(parts).skip(1).forEach(part -> {
            int equals = part.indexOf('=');
            figures.put(Figure.valueOf(part.substring(0, equals)), Double.valueOf(part.substring(equals + 1)));
        });
        return Stream.of(new Findings(figures));
    }
}
