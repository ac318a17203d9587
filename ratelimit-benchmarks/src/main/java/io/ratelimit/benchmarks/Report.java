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
        StringBuilder text = new StringBuilder();
        addFacts(text);
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

    private void addFacts(StringBuilder text) {
        text.append("| run | |\n| --- | --- |\n");
        for (Fact fact : facts) {
            addRow(text, fact.name(), fact.value());
        }
    }

    private void addGroup(StringBuilder text, Group group) {
        List<Measurement> measured = results.of(group).toList();
        if (measured.isEmpty()) {
            return;
        }
        addTitle(text, group.title());
        addRow(text, "benchmark", "threads", "ns/op", "±", "× " + group.reference(), "B/op", "cpu ns/op", "budgets");
        text.append("| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n");
        for (Measurement measurement : measured) {
            addRow(
                    text,
                    code(measurement.benchmark()),
                    Integer.toString(measurement.threads()),
                    number(measurement.nanos()),
                    number(measurement.error()),
                    ratioToReference(measurement),
                    whole(measurement.bytes()),
                    number(measurement.processorNanos()),
                    judgement(measurement.benchmark(), Budget.placeOf(measurement)));
        }
    }

    private void addFilters(StringBuilder text, Container container) {
        FilterMeasurement reference =
                results.filterOn(container, FilterBudgets.REFERENCE).orElse(null);
        if (reference == null) {
            return;
        }
        String place = FilterBudgets.placeOf(container);
        addTitle(text, place);
        addRow(
                text,
                "filter",
                "rounds",
                "cpu µs/request",
                "added",
                "half of the rounds",
                "added in request threads",
                "B/request",
                "added B",
                "budgets");
        text.append("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n");
        results.filtersOn(container).forEach(measured -> {
            Quartiles added = measured.above(reference, Sample::micros);
            addRow(
                    text,
                    code(measured.variant().title()),
                    Integer.toString(measured.rounds().size()),
                    micros(measured.of(Sample::micros).median()),
                    micros(added.median()),
                    micros(added.first()) + " to " + micros(added.third()),
                    micros(measured.above(reference, Sample::requestMicros).median()),
                    whole(measured.of(Sample::bytes).median()),
                    whole(measured.above(reference, Sample::bytes).median()),
                    judgement(measured.variant().title(), place));
        });
    }

    private void addFootprints(StringBuilder text) {
        if (results.footprints().isEmpty()) {
            return;
        }
        addTitle(text, "Memory for each active client, key included");
        addRow(text, "table", "clients", "heap bytes", "most while growing", "bytes of objects", "budgets");
        text.append("| --- | ---: | ---: | ---: | ---: | --- |\n");
        for (Footprint footprint : results.footprints()) {
            addRow(
                    text,
                    code(footprint.table()),
                    String.format(Locale.ROOT, "%,d", footprint.clients()),
                    whole(footprint.heapBytes()),
                    whole(footprint.growingBytes()),
                    whole(footprint.objectBytes()),
                    judgement(footprint.table(), "settled", "growing"));
        }
    }

    private void addVerdicts(StringBuilder text) {
        if (verdicts.isEmpty()) {
            return;
        }
        addTitle(text, "Budgets");
        addRow(text, "what", "where", "budget", "measured", "verdict");
        text.append("| --- | --- | --- | ---: | --- |\n");
        for (Verdict verdict : verdicts) {
            addRow(
                    text,
                    code(verdict.subject()),
                    verdict.place(),
                    verdict.budget(),
                    verdict.measured(),
                    verdict.outcome());
        }
        long met = verdicts.stream().filter(Verdict::met).count();
        text.append("\nMet: ")
                .append(met)
                .append(" of ")
                .append(verdicts.size())
                .append(".\n");
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

    private static void addTitle(StringBuilder text, String title) {
        text.append("\n### ").append(title).append("\n\n");
    }

    private static void addRow(StringBuilder text, String... cells) {
        for (String cell : cells) {
            text.append("| ").append(cell).append(' ');
        }
        text.append("|\n");
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
