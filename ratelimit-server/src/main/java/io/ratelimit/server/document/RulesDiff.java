package io.ratelimit.server.document;

import com.github.difflib.DiffUtils;
import com.github.difflib.algorithm.DiffAlgorithmListener;
import com.github.difflib.algorithm.myers.MyersDiff;
import com.github.difflib.patch.AbstractDelta;
import com.github.difflib.patch.ChangeDelta;
import com.github.difflib.patch.Chunk;
import com.github.difflib.patch.DeltaType;
import java.util.ArrayList;
import java.util.List;

/**
 * How two texts differ, line by line. Immutable and thread-safe.
 *
 * @param hunks the differences in the texts' order, each with up to three equal lines around it; none where the texts are
 *     the same
 */
public record RulesDiff(List<Hunk> hunks) {

    private static final int CONTEXT = 3;

    /** Where texts differ in more lines than this, finding the fewest that do would take too long. */
    private static final int MOST_EDITS = 3_000;

    private static final String NO_LINE_BREAK = "\n\\ No newline at end of file";

    /** What a line of a diff is. */
    public enum Kind {
        /** Both texts have the line. */
        EQUAL(' '),
        /** Only the old text has the line. */
        REMOVED('-'),
        /** Only the new text has the line. */
        ADDED('+');

        private final char sign;

        Kind(char sign) {
            this.sign = sign;
        }

        /**
         * What a unified diff has before the line.
         *
         * @return a blank, a minus or a plus
         */
        public char sign() {
            return sign;
        }
    }

    /**
     * One line of a diff.
     *
     * @param kind whose line it is
     * @param oldLine its number in the old text, from 1; 0 where only the new text has it
     * @param newLine its number in the new text, from 1; 0 where only the old text has it
     * @param text the line without its break; where the text ends here without one, a second line says so
     */
    public record Line(Kind kind, int oldLine, int newLine, String text) {}

    /**
     * Lines that belong together.
     *
     * @param lines equal lines, lines of the old text before those of the new text, equal lines
     */
    public record Hunk(List<Line> lines) {

        /** Copies the lines. */
        public Hunk {
            lines = List.copyOf(lines);
        }

        /**
         * The first line of the hunk in a unified diff.
         *
         * @return such as {@code @@ -12,7 +12,9 @@}
         */
        public String header() {
            return "@@ -" + range(lines.stream().mapToInt(Line::oldLine).toArray()) + " +"
                    + range(lines.stream().mapToInt(Line::newLine).toArray()) + " @@";
        }

        /** First line and count; the count alone is left out if it is 1. */
        private static String range(int[] numbers) {
            int first = 0;
            int count = 0;
            for (int number : numbers) {
                if (number > 0) {
                    first = first == 0 ? number : first;
                    count++;
                }
            }
            return first + (count == 1 ? "" : "," + count);
        }
    }

    /** Copies the hunks. */
    public RulesDiff {
        hunks = List.copyOf(hunks);
    }

    /**
     * Compares two texts.
     *
     * @param before the old text
     * @param after the new text
     * @return how they differ; where that is in thousands of lines, it may name more lines than necessary
     */
    public static RulesDiff between(String before, String after) {
        return new RulesDiff(hunks(lines(split(before), split(after))));
    }

    /**
     * The unified diff, as tools such as {@code patch} read it.
     *
     * @param before what to call the old text, such as {@code version 3}
     * @param after what to call the new text
     * @return lines that end with {@code \n}; empty where the texts are the same
     */
    public String unified(String before, String after) {
        if (hunks.isEmpty()) {
            return "";
        }
        StringBuilder text = new StringBuilder("--- " + before + "\n+++ " + after + "\n");
        for (Hunk hunk : hunks) {
            text.append(hunk.header()).append('\n');
            hunk.lines()
                    .forEach(line ->
                            text.append(line.kind().sign()).append(line.text()).append('\n'));
        }
        return text.toString();
    }

    private static List<String> split(String text) {
        List<String> lines = new ArrayList<>(List.of(text.split("\n", -1)));
        String last = lines.remove(lines.size() - 1);
        if (!last.isEmpty()) {
            lines.add(last + NO_LINE_BREAK);
        }
        return lines;
    }

    /** All lines of both texts in order. */
    private static List<Line> lines(List<String> before, List<String> after) {
        List<Line> lines = new ArrayList<>();
        int oldLine = 1;
        int newLine = 1;
        for (AbstractDelta<String> delta : deltas(before, after)) {
            boolean isEqual = delta.getType() == DeltaType.EQUAL;
            for (String text : delta.getSource().getLines()) {
                lines.add(new Line(isEqual ? Kind.EQUAL : Kind.REMOVED, oldLine++, isEqual ? newLine++ : 0, text));
            }
            for (String text : isEqual ? List.<String>of() : delta.getTarget().getLines()) {
                lines.add(new Line(Kind.ADDED, 0, newLine++, text));
            }
        }
        return lines;
    }

    /** Equal and unequal parts in order; where finding them would take long, all in one. */
    static List<AbstractDelta<String>> deltas(List<String> before, List<String> after) {
        try {
            return DiffUtils.diff(before, after, new MyersDiff<>(), new Patience(), true)
                    .getDeltas();
        } catch (TooManyEdits e) {
            return List.of(new ChangeDelta<>(new Chunk<>(0, before), new Chunk<>(0, after)));
        }
    }

    private static List<Hunk> hunks(List<Line> lines) {
        List<Hunk> hunks = new ArrayList<>();
        List<Line> hunk = new ArrayList<>();
        int shownUntil = 0;
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).kind() == Kind.EQUAL) {
                continue;
            }
            int from = Math.max(i - CONTEXT, 0);
            if (from > shownUntil && !hunk.isEmpty()) {
                hunks.add(new Hunk(hunk));
                hunk = new ArrayList<>();
            }
            int until = Math.min(i + CONTEXT + 1, lines.size());
            hunk.addAll(lines.subList(Math.max(from, shownUntil), until));
            shownUntil = until;
        }
        if (!hunk.isEmpty()) {
            hunks.add(new Hunk(hunk));
        }
        return hunks;
    }

    private static final class TooManyEdits extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** Ends a search that would take long. */
    private static final class Patience implements DiffAlgorithmListener {

        @Override
        public void diffStart() {
            // Nothing is counted yet.
        }

        @Override
        public void diffStep(int edits, int most) {
            if (edits > MOST_EDITS) {
                throw new TooManyEdits();
            }
        }

        @Override
        public void diffEnd() {
            // The search has ended in time.
        }
    }
}
