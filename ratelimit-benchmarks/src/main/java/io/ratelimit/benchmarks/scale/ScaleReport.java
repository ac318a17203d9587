package io.ratelimit.benchmarks.scale;

import io.ratelimit.benchmarks.Fact;
import io.ratelimit.benchmarks.Markdown;
import io.ratelimit.benchmarks.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** A run as Markdown: what it ran on, a table for each section, and what textbooks are beaten by. Immutable. */
final class ScaleReport {

    private static final double MOST_PERCENT_OF_LOG = 14;
    private static final double PERCENT = 100;

    private final List<Fact> facts;
    private final List<Row> rows;

    ScaleReport(List<Fact> facts, List<Row> rows) {
        this.facts = List.copyOf(facts);
        this.rows = List.copyOf(rows);
    }

    String toMarkdown() {
        Markdown text = new Markdown(facts);
        for (Section section : Section.values()) {
            List<Row> of = rows.stream().filter(row -> row.section() == section).toList();
            if (!of.isEmpty()) {
                addSection(text, section, of);
            }
        }
        text.verdicts("Memory beside the textbook's", verdicts(), subject -> subject);
        return text.toString();
    }

    private static void addSection(Markdown text, Section section, List<Row> rows) {
        List<Figure> columns = section.columns();
        text.table(
                section.title(),
                "| --- |" + " ---: |".repeat(columns.size()),
                cells("what", columns.stream().map(Figure::title)));
        rows.forEach(row ->
                text.row(cells(row.name(), columns.stream().map(column -> written(column, row.figure(column))))));
    }

    private static List<String> cells(String first, Stream<String> others) {
        return Stream.concat(Stream.of(first), others).toList();
    }

    private List<Verdict> verdicts() {
        List<Verdict> verdicts = new ArrayList<>();
        for (Row row : rows) {
            row.figure(Figure.TEXTBOOK)
                    .ifPresent(textbook -> verdicts.add(new Verdict(
                            row.name(),
                            "1,000,000 clients",
                            row.figure(Figure.MILLION_CLIENTS).orElse(Double.NaN),
                            textbook,
                            "MB")));
        }
        for (LimitKind counter : List.of(LimitKind.COUNTER, LimitKind.COUNTER_OF_MINUTES)) {
            OptionalDouble share = percentOfLog(counter);
            share.ifPresent(percent -> verdicts.add(
                    new Verdict(counter.title(), "beside the log", percent, MOST_PERCENT_OF_LOG, "% of the log")));
        }
        return verdicts;
    }

    private OptionalDouble percentOfLog(LimitKind counter) {
        OptionalDouble log = bytesOf(LimitKind.LOG);
        OptionalDouble counted = bytesOf(counter);
        return log.isPresent() && counted.isPresent()
                ? OptionalDouble.of(PERCENT * counted.getAsDouble() / log.getAsDouble())
                : OptionalDouble.empty();
    }

    private OptionalDouble bytesOf(LimitKind kind) {
        return rows.stream()
                .filter(row -> row.section() == Section.LIMITS && row.name().equals(kind.title()))
                .map(row -> row.figure(Figure.BYTES))
                .findFirst()
                .orElseGet(OptionalDouble::empty);
    }

    private static String written(Figure figure, OptionalDouble value) {
        return value.isPresent()
                ? String.format(Locale.ROOT, "%,." + figure.decimals() + "f", value.getAsDouble())
                : "";
    }
}
