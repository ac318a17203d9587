package io.ratelimit.server;

import io.ratelimit.server.command.CommandException;
import io.ratelimit.server.command.Commands;
import io.ratelimit.server.command.Terminal;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The server's command line. */
@Command(
        name = "ratelimit-server",
        description = "The rules service of ratelimit, and commands for rules files.",
        synopsisSubcommandLabel = "COMMAND",
        footerHeading = "%n",
        footer = "ratelimit-server COMMAND --help shows the flags of a command.")
public final class RatelimitServer implements Runnable {

    private static final int TROUBLE = 2;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "shows this")
    @SuppressWarnings("UnusedVariable")
    private boolean help;

    private RatelimitServer() {}

    /**
     * Runs a command.
     *
     * @param arguments the command line
     */
    public static void main(String[] arguments) {
        int status = commandLine(Terminal.ofProcess(), System.getenv()).execute(arguments);
        if (status != 0) {
            System.exit(status);
        }
    }

    static CommandLine commandLine(Terminal terminal, Map<String, String> environment) {
        CommandLine line = new CommandLine(new RatelimitServer());
        new Commands(terminal, environment).addTo(line);
        line.setOut(new PrintWriter(terminal.out(), true, Charset.defaultCharset()));
        line.setErr(new PrintWriter(terminal.err(), true, Charset.defaultCharset()));
        line.setParameterExceptionHandler(
                (wrong, arguments) -> complain(wrong.getCommandLine(), new WrongUse(wrong).toString()));
        line.setExecutionExceptionHandler((failed, used, parsed) -> {
            if (failed instanceof CommandException) {
                return complain(used, String.valueOf(failed.getMessage()));
            }
            // A status that no command gives to something it has found.
            failed.printStackTrace(used.getErr());
            return TROUBLE;
        });
        return line;
    }

    private static int complain(CommandLine used, String message) {
        used.getErr().println("ratelimit-server: " + message);
        return TROUBLE;
    }

    /** There is nothing to do without a command. */
    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "which command?");
    }
}
