package io.ratelimit.benchmarks;

import java.util.List;
import java.util.function.UnaryOperator;

/** A report while it is written. Used by one thread. */
public final class Markdown {

    private final StringBuilder text = new StringBuilder();

    /**
     * Begins with what all figures depend on.
     *
     * @param facts the facts
     */
    public Markdown(List<Fact> facts) {
        text.append("| run | |\n| --- | --- |\n");
        facts.forEach(fact -> row(List.of(fact.name(), fact.value())));
    }

    /**
     * Begins a table.
     *
     * @param title its title
     * @param alignment the line below its head, such as {@code | --- | ---: |}
     * @param head the names of its columns
     */
    public void table(String title, String alignment, List<String> head) {
        text.append("\n### ").append(title).append("\n\n");
        row(head);
        text.append(alignment).append('\n');
    }

    /**
     * Adds a row to the table.
     *
     * @param cells the cells, as many as the head has
     */
    public void row(List<String> cells) {
        text.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }

    /**
     * Adds a table of verdicts, if there are any.
     *
     * @param title its title
     * @param verdicts the verdicts
     * @param subject how what a verdict is about is written
     */
    public void verdicts(String title, List<Verdict> verdicts, UnaryOperator<String> subject) {
        if (verdicts.isEmpty()) {
            return;
        }
        table(title, "| --- | --- | --- | ---: | --- |", List.of("what", "where", "budget", "measured", "verdict"));
        for (Verdict verdict : verdicts) {
            row(List.of(
                    subject.apply(verdict.subject()),
                    verdict.place(),
                    verdict.budget(),
                    verdict.measured(),
                    verdict.outcome()));
        }
    }

    /**
     * Adds a paragraph.
     *
     * @param sentence one line
     */
    public void paragraph(String sentence) {
        text.append('\n').append(sentence).append('\n');
    }

    /** The report so far. */
    @Override
    public String toString() {
        return text.toString();
    }
}
