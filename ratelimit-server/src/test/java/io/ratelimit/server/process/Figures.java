package io.ratelimit.server.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * What was measured, a line each.
 *
 * @param file the name of the file that keeps it
 */
record Figures(String file) {

    void add(String line) throws IOException {
        Path directory = Files.createDirectories(Path.of(System.getProperty("server.figures", "target/figures")));
        Files.writeString(directory.resolve(file), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
