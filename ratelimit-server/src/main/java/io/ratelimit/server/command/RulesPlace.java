package io.ratelimit.server.command;

import io.ratelimit.core.rules.RulesParser;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Where a command finds a rules document. */
interface RulesPlace {

    /** What parameters of this kind are called. */
    String LABEL = "FILE";

    /** What messages call it. */
    String name();

    /**
     * The document's bytes; of one that is far too large for rules, so many that the parser says so.
     *
     * @throws CommandException if it cannot be read
     */
    byte[] read();

    /** What a word of the command line stands for. */
    static RulesPlace of(String word, InputStream standardInput) {
        return word.equals("-") ? new StandardInput(standardInput) : new RulesFile(word);
    }

    /** A file of that name. */
    record RulesFile(String name) implements RulesPlace {

        @Override
        public byte[] read() {
            try (InputStream in = Files.newInputStream(Path.of(name))) {
                return bounded(in);
            } catch (NoSuchFileException e) {
                throw unreadable(name, "there is no such file", e);
            } catch (AccessDeniedException e) {
                throw unreadable(name, "access is denied", e);
            } catch (IOException | InvalidPathException e) {
                throw unreadable(name, String.valueOf(e.getMessage()), e);
            }
        }
    }

    /** What is piped into the command. */
    record StandardInput(InputStream in) implements RulesPlace {

        @Override
        public String name() {
            return "standard input";
        }

        @Override
        public byte[] read() {
            try {
                return bounded(in);
            } catch (IOException e) {
                throw unreadable(name(), String.valueOf(e.getMessage()), e);
            }
        }
    }

    private static byte[] bounded(InputStream in) throws IOException {
        return in.readNBytes(RulesParser.MOST_BYTES + 1);
    }

    private static CommandException unreadable(String name, String reason, Exception cause) {
        return new CommandException(name + " cannot be read: " + reason, cause);
    }
}
