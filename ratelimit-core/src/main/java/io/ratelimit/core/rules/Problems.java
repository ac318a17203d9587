package io.ratelimit.core.rules;

import io.ratelimit.rules.RuleProblem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects what is wrong in one document, as seen from one rule or from outside of the rules. */
public final class Problems {

    /** Nobody reads more, and a hostile document must not fill the memory with complaints. */
    static final int MOST = 1_000;

    private static final int LONGEST_MESSAGE = 1_000;
    private static final int LONGEST_PATH = 200;

    private final String location;
    private final @Nullable String rule;
    private final List<RuleProblem> found;

    /**
     * Begins with none.
     *
     * @param location the document's place, for messages
     */
    public Problems(String location) {
        this(location, null, new ArrayList<>());
    }

    private Problems(String location, @Nullable String rule, List<RuleProblem> found) {
        this.location = location;
        this.rule = rule;
        this.found = found;
    }

    /** The same collection, whose further problems name a rule. */
    Problems inRule(String name) {
        return new Problems(location, name, found);
    }

    /** How many there are so far. */
    int count() {
        return found.size();
    }

    void add(int line, int column, @Nullable String field, String message) {
        if (!areFull()) {
            found.add(new RuleProblem(
                    location,
                    line,
                    column,
                    rule,
                    field == null ? null : Printable.escaped(Printable.shortened(field, LONGEST_PATH)),
                    Printable.escaped(Printable.shortened(message, LONGEST_MESSAGE))));
        }
    }

    /**
     * Whether further problems would not be kept, so that it is no use to look for them.
     *
     * @return true if there are 1,000
     */
    public boolean areFull() {
        return found.size() >= MOST;
    }

    /**
     * Whether there is one.
     *
     * @return true if something is wrong
     */
    public boolean areFound() {
        return !found.isEmpty();
    }

    /**
     * The problems.
     *
     * @return the problems in the document's order, 1,000 at most
     */
    public List<RuleProblem> inOrder() {
        return found.stream()
                .sorted(Comparator.comparingInt(RuleProblem::line).thenComparingInt(RuleProblem::column))
                .toList();
    }
}
