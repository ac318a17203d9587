package io.ratelimit.benchmarks.scale;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One row of the report. A process that measures prints it as a line, and the one that reports reads it. Immutable.
 *
 * @param section the table that it belongs to
 * @param name what was measured
 * @param figures what was found; others stay empty
 */
record Row(Section section, String name, Map<Figure, Double> figures) {

    private static final String MARK = "row";
    private static final String SEPARATOR = "\t";
    private static final int FIXED_PARTS = 3;

    Row {
        figures = Collections.unmodifiableMap(new EnumMap<>(figures));
    }

    static Row of(Section section, String name) {
        return new Row(section, name, new EnumMap<>(Figure.class));
    }

    Row with(Figure figure, double value) {
        Map<Figure, Double> more = new EnumMap<>(Figure.class);
        more.putAll(figures);
        more.put(figure, value);
        return new Row(section, name, more);
    }

    /** The row with a number of something. */
    Row with(Figure figure, long count) {
        return with(figure, (double) count);
    }

    OptionalDouble figure(Figure figure) {
        Double value = figures.get(figure);
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    String toLine() {
        return Stream.concat(
                        Stream.of(MARK, section.name(), name),
                        figures.entrySet().stream().map(entry -> entry.getKey().name() + "=" + entry.getValue()))
                .collect(Collectors.joining(SEPARATOR));
    }

    /** The row of a line; none if the line is something else that the process said. */
    static Stream<Row> ofLine(String line) {
        String[] parts = line.split(SEPARATOR, -1);
        if (parts.length < FIXED_PARTS || !parts[0].equals(MARK)) {
            return Stream.empty();
        }
        Map<Figure, Double> figures = new EnumMap<>(Figure.class);
        Arrays.stream(parts).skip(FIXED_PARTS).forEach(part -> {
            int equals = part.indexOf('=');
            figures.put(Figure.valueOf(part.substring(0, equals)), Double.valueOf(part.substring(equals + 1)));
        });
        return Stream.of(new Row(Section.valueOf(parts[1]), parts[2], figures));
    }
}
