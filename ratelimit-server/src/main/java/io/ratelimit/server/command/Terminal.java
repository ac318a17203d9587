package io.ratelimit.server.command;

import java.io.InputStream;
import java.io.PrintStream;

/**
 * What a command reads and writes.
 *
 * @param in what {@code -} stands for
 * @param out takes what a command is asked for
 * @param err takes complaints
 */
public record Terminal(InputStream in, PrintStream out, PrintStream err) {

    /**
     * The terminal of this process.
     *
     * @return standard input, output and error as they are now
     */
    public static Terminal ofProcess() {
        return new Terminal(System.in, System.out, System.err);
    }
}
