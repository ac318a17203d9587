package io.ratelimit.server.command;

import io.ratelimit.server.remote.RemoteRules;
import io.ratelimit.server.remote.ServiceAwayException;
import io.ratelimit.server.remote.ServiceRefusedException;
import io.ratelimit.server.rules.ServiceName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Fetches rules from a rules service. */
@Command(
        name = "pull",
        description = "Prints the rules that a rules service has; or writes them to a file, and prints their tag.",
        footerHeading = "%n",
        footer =
                "Ends with 0 if there are rules, 2 for wrong use, rules that are not there, a file that cannot be written"
                        + " or a token that does not do, 4 if the service cannot be reached.")
final class PullCommand implements Callable<Integer> {

    private static final int DONE = 0;
    private static final int AWAY = 4;

    private final Terminal terminal;

    @Mixin
    private final ServiceFlags flags;

    @Parameters(paramLabel = "SERVICE", description = "whose rules")
    @SuppressWarnings("NullAway.Init")
    private ServiceName service;

    @Option(names = "--output", paramLabel = "FILE", description = "where to write them, in place of what is there")
    private @Nullable Path output;

    @Option(names = "--version", paramLabel = "N", description = "which version; the one in force where none is named")
    private @Nullable Long version;

    PullCommand(Terminal terminal, ServiceFlags flags) {
        this.terminal = terminal;
        this.flags = flags;
    }

    @Override
    public Integer call() {
        try {
            RemoteRules rules = new ServiceRules(service, version, flags::service).retrieve();
            byte[] content = rules.text().getBytes(StandardCharsets.UTF_8);
            if (output == null) {
                // In the encoding of rules, whatever the terminal's is.
                terminal.out().writeBytes(content);
                terminal.out().flush();
            } else {
                write(output, content);
                terminal.out().println(rules.tag());
            }
            return DONE;
        } catch (ServiceAwayException e) {
            terminal.err().println("ratelimit-server: " + e.getMessage());
            return AWAY;
        } catch (ServiceRefusedException e) {
            throw new CommandException(String.valueOf(e.getMessage()), e);
        }
    }

    private static void write(Path file, byte[] content) {
        try {
            if (Files.exists(file) && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                Files.write(file, content);
                return;
            }
            // Hosts may follow the file: they must not find half of it.
            Path beside = file.resolveSibling(file.getFileName() + ".new");
            Files.write(beside, content);
            Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new CommandException(file + " cannot be written: " + e.getMessage(), e);
        }
    }
}
