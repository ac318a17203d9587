package io.ratelimit.server.command;

import java.io.IOException;
import java.io.OutputStream;
import picocli.CommandLine.Option;

/** How long a server lives. A process whose parent dies hears of it by its standard input alone. */
final class LifeFlag {

    private final Terminal terminal;

    @Option(names = "--until-input-ends", hidden = true)
    private boolean untilInputEnds;

    LifeFlag(Terminal terminal) {
        this.terminal = terminal;
    }

    /** Ends the process with its input, if that is wanted; otherwise returns at once. */
    @SuppressWarnings("SystemExitOutsideMain")
    void await() {
        if (!untilInputEnds) {
            return;
        }
        try {
            terminal.in().transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // As good as an end.
        }
        System.exit(0);
    }
}
