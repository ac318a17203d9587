package io.ratelimit.server.command;

import io.ratelimit.server.rules.ServiceName;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

/** All commands, as parts of a larger command line. */
public final class Commands {

    private final Terminal terminal;
    private final Map<String, String> environment;

    /**
     * Makes the commands.
     *
     * @param terminal what they read and write
     * @param environment the process's environment, which has secrets
     */
    public Commands(Terminal terminal, Map<String, String> environment) {
        this.terminal = terminal;
        this.environment = Map.copyOf(environment);
    }

    /**
     * Adds them to a command line.
     *
     * @param line the command line, which gets the commands
     */
    public void addTo(CommandLine line) {
        line.addSubcommand(new RulesServiceCommand(terminal, environment));
        line.addSubcommand(new DaemonCommand(terminal, environment));
        line.addSubcommand(new CheckCommand(terminal));
        line.addSubcommand(new ExplainCommand(terminal));
        line.addSubcommand(new DiffCommand(terminal, serviceFlags()));
        line.addSubcommand(new PushCommand(terminal, serviceFlags()));
        line.addSubcommand(new PullCommand(terminal, serviceFlags()));
        line.registerConverter(RulesPlace.class, word -> RulesPlace.of(word, terminal.in()));
        line.registerConverter(ServiceName.class, Commands::serviceName);
    }

    private ServiceFlags serviceFlags() {
        return new ServiceFlags(terminal, environment);
    }

    private static ServiceName serviceName(String word) {
        try {
            return new ServiceName(word);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(String.valueOf(e.getMessage()));
        }
    }
}
