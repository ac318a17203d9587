package io.ratelimit.core.lint;

import io.ratelimit.core.lint.LintFinding.Severity;
import io.ratelimit.core.rules.Printable;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Collects findings, each once and so many at most: nobody reads more, and each costs memory and a log line. */
final class Findings {

    static final int MOST = 1_000;

    /** Rules may quote texts of any length. */
    private static final int LONGEST_MESSAGE = 1_000;

    private final Set<LintFinding> found = new LinkedHashSet<>();

    void warning(String place, String message) {
        add(Severity.WARNING, place, message);
    }

    void note(String place, String message) {
        add(Severity.NOTE, place, message);
    }

    boolean isFull() {
        return found.size() >= MOST;
    }

    List<LintFinding> list() {
        return List.copyOf(found);
    }

    private void add(Severity severity, String place, String message) {
        if (!isFull()) {
            found.add(
                    new LintFinding(severity, place, Printable.escaped(Printable.shortened(message, LONGEST_MESSAGE))));
        }
    }
}
