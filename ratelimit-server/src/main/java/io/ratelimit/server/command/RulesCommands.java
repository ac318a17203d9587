package io.ratelimit.server.command;

import picocli.CommandLine;

/** The commands for rules documents, as parts of a larger command line. */
public final class RulesCommands {

    private final Terminal terminal;

    /**
     * Makes the commands.
     *
     * @param terminal what they read and write
     */
    public RulesCommands(Terminal terminal) {
        this.terminal = terminal;
    }

    /**
     * Adds them to a command line.
     *
     * @param line the command line, which gets {@code check}, {@code explain} and {@code diff}
     */
    public void addTo(CommandLine line) {
        line.addSubcommand(new CheckCommand(terminal));
        line.addSubcommand(new ExplainCommand(terminal));
        line.addSubcommand(new DiffCommand(terminal));
        line.registerConverter(RulesPlace.class, word -> RulesPlace.of(word, terminal.in()));
    }
}
