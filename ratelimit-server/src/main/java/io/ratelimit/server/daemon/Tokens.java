package io.ratelimit.server.daemon;

import com.google.common.hash.HashCode;
import com.google.common.hash.Hashing;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tokens in a file, one in a line; empty lines and those that begin with # say nothing. Tokens are known by their
 * SHA-256 alone, so that the time of a look tells nothing of them. Thread-safe.
 */
final class Tokens {

    private static final Logger LOG = LoggerFactory.getLogger(Tokens.class);

    /** Shorter ones could be guessed. */
    private static final int SHORTEST = 20;

    private static final int MOST = 10_000;
    private static final long LARGEST_FILE = 2_000_000;

    private final Path file;
    private volatile Set<HashCode> known;
    private String problem = "";

    private Tokens(Path file, Set<HashCode> known) {
        this.file = file;
        this.known = known;
    }

    /**
     * Reads a file.
     *
     * @throws IllegalArgumentException if it cannot be read or holds no token; the message names file and line, and no
     *     token
     */
    static Tokens in(Path file) {
        return new Tokens(file, read(file));
    }

    boolean include(String token) {
        return known.contains(Hashing.sha256().hashString(token, StandardCharsets.UTF_8));
    }

    /** Reads the file again. One that cannot be read changes nothing, and is reported once. */
    void reload() {
        try {
            Set<HashCode> read = read(file);
            if (!read.equals(known)) {
                known = read;
                LOG.info("{} has {} tokens now", file, read.size());
            }
            problem = "";
        } catch (Throwable e) {
            // Whatever it is: tokens that are taken back must not stay good because nobody looks again.
            String why = String.valueOf(e.getMessage());
            if (!why.equals(problem)) {
                problem = why;
                LOG.warn("Tokens stay as they were: {}", why);
            }
        }
    }

    private static Set<HashCode> read(Path file) {
        Set<HashCode> tokens = new HashSet<>();
        List<String> lines = lines(file);
        for (int i = 0; i < lines.size(); i++) {
            String token = lines.get(i).strip();
            if (token.isEmpty() || token.startsWith("#")) {
                continue;
            }
            if (token.length() < SHORTEST || !token.chars().allMatch(unit -> unit > ' ' && unit < 0x7f)) {
                throw new IllegalArgumentException("line " + (i + 1) + " of " + file + " is no token: it must be "
                        + SHORTEST + " or more letters, digits and signs of ASCII, without spaces");
            }
            tokens.add(Hashing.sha256().hashString(token, StandardCharsets.UTF_8));
        }
        if (tokens.isEmpty() || tokens.size() > MOST) {
            throw new IllegalArgumentException(
                    file + " has " + tokens.size() + " tokens: write 1 to " + MOST + ", one in a line");
        }
        return Set.copyOf(tokens);
    }

    private static List<String> lines(Path file) {
        try {
            if (Files.size(file) > LARGEST_FILE) {
                throw new IllegalArgumentException(file + " is larger than " + LARGEST_FILE + " bytes");
            }
            return Files.readAllLines(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    file + " cannot be read (" + e + "): name a file with one token in a line", e);
        }
    }
}
