package io.ratelimit.server.command;

import io.ratelimit.rules.RuleSet;
import io.ratelimit.server.document.RulesChange;
import io.ratelimit.server.document.RulesDiff;
import io.ratelimit.server.document.RulesReviewer;
import java.util.Optional;

/** Prints how documents differ, and what that means. */
final class Differences {

    private final Terminal terminal;

    Differences(Terminal terminal) {
        this.terminal = terminal;
    }

    /** A document, and what to call it. */
    record Named(String name, String text) {}

    /** Prints nothing where the documents are the same, and tells whether they differ. */
    boolean print(Named before, Named after) {
        RulesDiff diff = RulesDiff.between(before.text(), after.text());
        if (diff.hunks().isEmpty()) {
            return false;
        }
        terminal.out().print(diff.unified(before.name(), after.name()));
        Optional<RuleSet> oldRules = rules(before);
        Optional<RuleSet> newRules = rules(after);
        if (oldRules.isPresent() && newRules.isPresent()) {
            terminal.out().println();
            terminal.out().println(RulesChange.between(oldRules.get(), newRules.get()));
        }
        return true;
    }

    private Optional<RuleSet> rules(Named document) {
        Optional<RuleSet> rules = new RulesReviewer()
                .review(document.name(), document.text(), null)
                .rules();
        if (rules.isEmpty()) {
            terminal.err().println(document.name() + " holds no valid rules, so that only lines are compared");
        }
        return rules;
    }
}
