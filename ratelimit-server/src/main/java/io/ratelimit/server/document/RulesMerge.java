package io.ratelimit.server.document;

import com.github.difflib.patch.AbstractDelta;
import com.github.difflib.patch.DeltaType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Brings two changes of one text together, line by line. Immutable and thread-safe. */
public final class RulesMerge {

    /** Lines of the common text, from one up to and without another, and what takes their place. */
    private record Change(int from, int to, List<String> lines) {

        boolean touches(Change other) {
            return from <= other.to && other.from <= to;
        }
    }

    /**
     * Makes both changes.
     *
     * @param base the text that both were made from
     * @param mine the text with one change
     * @param theirs the text with the other change
     * @return the text with both; empty where they change the same lines, or lines side by side, in different ways
     */
    public Optional<String> merged(String base, String mine, String theirs) {
        List<String> lines = split(base);
        List<Change> changes = Stream.concat(changes(lines, mine), changes(lines, theirs))
                .distinct()
                .sorted(Comparator.comparingInt(Change::from))
                .toList();
        List<String> merged = new ArrayList<>();
        int taken = 0;
        for (int i = 0; i < changes.size(); i++) {
            Change change = changes.get(i);
            if (i > 0 && changes.get(i - 1).touches(change)) {
                return Optional.empty();
            }
            merged.addAll(lines.subList(taken, change.from()));
            merged.addAll(change.lines());
            taken = change.to();
        }
        merged.addAll(lines.subList(taken, lines.size()));
        return Optional.of(String.join("\n", merged));
    }

    private static Stream<Change> changes(List<String> base, String text) {
        return RulesDiff.deltas(base, split(text)).stream()
                .filter(delta -> delta.getType() != DeltaType.EQUAL)
                .map(RulesMerge::change);
    }

    private static Change change(AbstractDelta<String> delta) {
        int from = delta.getSource().getPosition();
        return new Change(
                from,
                from + delta.getSource().size(),
                List.copyOf(delta.getTarget().getLines()));
    }

    private static List<String> split(String text) {
        return List.of(text.split("\n", -1));
    }
}
