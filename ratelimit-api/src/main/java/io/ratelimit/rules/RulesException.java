package io.ratelimit.rules;

import java.util.List;

/** Rules were refused as a whole because at least one thing in them is wrong. */
public final class RulesException extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient List<RuleProblem> problems;

    /**
     * Refuses rules.
     *
     * @param problems at least one problem, in the document's order
     * @throws IllegalArgumentException if there is no problem
     */
    public RulesException(List<RuleProblem> problems) {
        super(message(problems));
        this.problems = List.copyOf(problems);
    }

    /**
     * What is wrong.
     *
     * @return at least one problem, in the document's order
     */
    public List<RuleProblem> problems() {
        return problems;
    }

    private static String message(List<RuleProblem> problems) {
        if (problems.isEmpty()) {
            throw new IllegalArgumentException("rules are refused for at least one problem");
        }
        int others = problems.size() - 1;
        return problems.get(0) + (others == 0 ? "" : " (and " + others + " more)");
    }
}
