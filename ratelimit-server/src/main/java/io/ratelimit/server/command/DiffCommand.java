package io.ratelimit.server.command;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Compares two rules documents. */
@Command(
        name = "diff",
        description =
                "Compares two rules documents line by line, and says which rules differ in what they mean."
                        + " service:NAME stands for the rules that a rules service has in force, service:NAME@17 for a version.",
        footerHeading = "%n",
        footer = "Ends with 0 if they are the same, 1 if they differ, 2 if one cannot be read.")
final class DiffCommand implements Callable<Integer> {

    private static final int SAME = 0;
    private static final int DIFFERENT = 1;

    private final Terminal terminal;

    @Mixin
    private final ServiceFlags service;

    @Parameters(
            index = "0",
            paramLabel = RulesPlace.LABEL,
            description = "the old rules: a file, - for standard input, or service:NAME with --url")
    @SuppressWarnings("NullAway.Init")
    private String before;

    @Parameters(index = "1", paramLabel = RulesPlace.LABEL, description = "the new rules")
    @SuppressWarnings("NullAway.Init")
    private String after;

    DiffCommand(Terminal terminal, ServiceFlags service) {
        this.terminal = terminal;
        this.service = service;
    }

    @Override
    public Integer call() {
        return new Differences(terminal).print(document(before), document(after)) ? DIFFERENT : SAME;
    }

    private Differences.Named document(String word) {
        RulesPlace place = ServiceRules.of(word, service::service).orElseGet(() -> RulesPlace.of(word, terminal.in()));
        return new Differences.Named(place.name(), new String(place.read(), StandardCharsets.UTF_8));
    }
}
