package io.ratelimit.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** A rules file that a test edits. */
final class RulesFile {

    private final Path path;

    RulesFile(Path directory, String... rules) {
        this.path = directory.resolve("rules.yaml");
        write(document(rules));
    }

    /** A document with the sample's costs and the given lines below {@code rules:}. */
    static String document(String... rules) {
        return """
                service: orders
                clients: [user, "header:X-Api-Key", ip]
                exempt:
                  - { path: /health }
                costs:
                  - { path: /api/orders, methods: [POST], cost: 2 }
                  - { path: /api/reports, methods: [GET], cost: 5 }
                rules:
                  - { name: addresses, key: ip, sharing: host, limits: 100000/s }
                """ + String.join("\n", rules).indent(2);
    }

    /** Puts a new text in the place of the old in one step. */
    void write(String text) {
        try {
            Path next = Files.writeString(path.resolveSibling("rules.next"), text);
            Files.move(next, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void delete() {
        try {
            Files.delete(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
