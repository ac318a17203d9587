package io.ratelimit.benchmarks;

import io.ratelimit.benchmarks.filter.Container;
import io.ratelimit.benchmarks.filter.FilterMeasurement;
import io.ratelimit.benchmarks.filter.Quartiles;
import io.ratelimit.benchmarks.filter.Sample;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A run as Markdown: what it ran on, a table for each group, memory, and which budgets are met. Immutable. */
final class Report {

    private static final double NOTHING = 0.5;

    private final List<Fact> facts;
    private final Results results;
    private final List<Verdict> verdicts;

    /**
     * Makes a report.
     *
     * @param facts what the figures depend on
     * @param results what was measured
     * @param budgets what it is judged by
     */
    Report(List<Fact> facts, Results results, List<Budget> budgets) {
        this.facts = List.copyOf(facts);
        this.results = results;
        this.verdicts =
                budgets.stream().flatMap(budget -> budget.judge(results)).toList();
    }

    String toMarkdown() {
        Markdown text = new Markdown(facts);
        for (Group group : Group.values()) {
            addGroup(text, group);
        }
        for (Container container : Container.values()) {
            addFilters(text, container);
        }
        addFootprints(text);
        addVerdicts(text);
        return text.toString();
    }

    private void addGroup(Markdown text, Group group) {
        List<Measurement> measured = results.of(group).toList();
        if (measured.isEmpty()) {
            return;
        }
        text.table(
                group.title(),
                "| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |",
                List.of(
                        "benchmark",
                        "threads",
                        "ns/op",
                        "±",
                        "× " + group.reference(),
                        "B/op",
                        "cpu ns/op",
                        "budgets"));
        for (Measurement measurement : measured) {
            text.row(List.of(
                    code(measurement.benchmark()),
                    Integer.toString(measurement.threads()),
                    number(measurement.nanos()),
                    number(measurement.error()),
                    ratioToReference(measurement),
                    whole(measurement.bytes()),
                    number(measurement.processorNanos()),
                    judgement(measurement.benchmark(), Budget.placeOf(measurement))));
        }
    }

    private void addFilters(Markdown text, Container container) {
        FilterMeasurement reference =
                results.filterOn(container, FilterBudgets.REFERENCE).orElse(null);
        if (reference == null) {
            return;
        }
        String place = FilterBudgets.placeOf(container);
        text.table(
                place,
                "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |",
                List.of(
                        "filter",
                        "rounds",
                        "cpu µs/request",
                        "added",
                        "half of the rounds",
                        "added in request threads",
                        "B/request",
                        "added B",
                        "p99 µs",
                        "added to p99",
                        "budgets"));
        results.filtersOn(container).forEach(measured -> {
            Quartiles added = measured.above(reference, Sample::micros);
            text.row(List.of(
                    code(measured.variant().title()),
                    Integer.toString(measured.rounds().size()),
                    micros(measured.of(Sample::micros).median()),
                    micros(added.median()),
                    micros(added.first()) + " to " + micros(added.third()),
                    micros(measured.above(reference, Sample::requestMicros).median()),
                    whole(measured.of(Sample::bytes).median()),
                    whole(measured.above(reference, Sample::bytes).median()),
                    micros(measured.of(Sample::p99Micros).median()),
                    micros(measured.above(reference, Sample::p99Micros).median()),
                    judgement(measured.variant().title(), place)));
        });
    }

    private void addFootprints(Markdown text) {
        if (results.footprints().isEmpty()) {
            return;
        }
        text.table(
                "Memory for each active client, key included",
                "| --- | ---: | ---: | ---: | ---: | --- |",
                List.of("table", "clients", "heap bytes", "most while growing", "bytes of objects", "budgets"));
        for (Footprint footprint : results.footprints()) {
            text.row(List.of(
                    code(footprint.table()),
                    String.format(Locale.ROOT, "%,d", footprint.clients()),
                    whole(footprint.heapBytes()),
                    whole(footprint.growingBytes()),
                    whole(footprint.objectBytes()),
                    judgement(footprint.table(), "settled", "growing")));
        }
    }

    private void addVerdicts(Markdown text) {
        text.verdicts("Budgets", verdicts, Report::code);
        if (!verdicts.isEmpty()) {
            long met = verdicts.stream().filter(Verdict::met).count();
            text.paragraph("Met: " + met + " of " + verdicts.size() + ".");
        }
    }

    private String ratioToReference(Measurement measurement) {
        return results.beside(measurement, measurement.group().reference())
                .map(reference -> String.format(Locale.ROOT, "%.2f", measurement.nanos() / reference.nanos()))
                .orElse("");
    }

    private String judgement(String subject, String... places) {
        return verdicts.stream()
                .filter(verdict ->
                        verdict.subject().equals(subject) && List.of(places).contains(verdict.place()))
                .map(verdict -> verdict.budget() + ": " + verdict.outcome())
                .collect(Collectors.joining("; "));
    }

    private static String code(String name) {
        return '`' + name + '`';
    }

    private static String number(double value) {
        return Double.isNaN(value) ? "?" : String.format(Locale.ROOT, value < 100 ? "%.1f" : "%,.0f", value);
    }

    private static String micros(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    private static String whole(double value) {
        return value < NOTHING ? "0" : String.format(Locale.ROOT, "%,.0f", value);
    }
}
