package io.ratelimit.server.command;

import io.ratelimit.rules.RuleSet;
import io.ratelimit.server.document.RulesChange;
import io.ratelimit.server.document.RulesDiff;
import io.ratelimit.server.document.RulesReviewer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Compares two rules documents. */
@Command(
        name = "diff",
        description = "Compares two rules files line by line, and says which rules differ in what they mean.",
        footerHeading = "%n",
        footer = "Ends with 0 if the files are the same, 1 if they differ, 2 if one cannot be read.")
final class DiffCommand implements Callable<Integer> {

    private static final int SAME = 0;
    private static final int DIFFERENT = 1;

    private final Terminal terminal;

    @Parameters(index = "0", paramLabel = RulesPlace.LABEL, description = "the old rules; - is standard input")
    @SuppressWarnings("NullAway.Init")
    private RulesPlace before;

    @Parameters(index = "1", paramLabel = RulesPlace.LABEL, description = "the new rules")
    @SuppressWarnings("NullAway.Init")
    private RulesPlace after;

    DiffCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        byte[] old = before.read();
        byte[] now = after.read();
        RulesDiff diff = RulesDiff.between(text(old), text(now));
        if (diff.hunks().isEmpty()) {
            return SAME;
        }
        terminal.out().print(diff.unified(before.name(), after.name()));
        Optional<RuleSet> oldRules = rules(before, old);
        Optional<RuleSet> newRules = rules(after, now);
        if (oldRules.isPresent() && newRules.isPresent()) {
            terminal.out().println();
            terminal.out().println(RulesChange.between(oldRules.get(), newRules.get()));
        }
        return DIFFERENT;
    }

    private Optional<RuleSet> rules(RulesPlace place, byte[] content) {
        Optional<RuleSet> rules =
                new RulesReviewer().review(place.name(), content, null).rules();
        if (rules.isEmpty()) {
            terminal.err().println(place.name() + " holds no valid rules, so that only lines are compared");
        }
        return rules;
    }

    private static String text(byte[] content) {
        return new String(content, StandardCharsets.UTF_8);
    }
}
