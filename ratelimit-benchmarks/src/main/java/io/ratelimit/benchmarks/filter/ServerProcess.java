package io.ratelimit.benchmarks.filter;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A running {@link FilterServerProcess}, as seen by the process that measures. */
final class ServerProcess implements Closeable {

    private static final long SECONDS_TO_END = 10;

    private final Process process;
    private final BufferedReader answers;
    private final BufferedWriter questions;
    private final int port;

    private ServerProcess(Process process) throws IOException {
        this.process = process;
        this.answers = process.inputReader(StandardCharsets.US_ASCII);
        this.questions = process.outputWriter(StandardCharsets.US_ASCII);
        this.port = Math.toIntExact(number(FilterServerProcess.PORT));
    }

    /**
     * Starts one and waits until it serves.
     *
     * @throws IOException if it does not
     */
    static ServerProcess start(Container container, List<String> jvmFlags) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmFlags);
        command.addAll(List.of(
                "-cp", System.getProperty("java.class.path"), FilterServerProcess.class.getName(), container.name()));
        Process process =
                new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
        try {
            return new ServerProcess(process);
        } catch (IOException | RuntimeException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    int port() {
        return port;
    }

    ThreadTimes threadTimes() {
        return new ThreadTimes(process.pid());
    }

    /** What all threads together have allocated. */
    long allocatedBytes() throws IOException {
        questions.write("allocated?\n");
        questions.flush();
        return number(FilterServerProcess.ALLOCATED);
    }

    /** What else is said, by the virtual machine itself for instance, does not matter. */
    private long number(String word) throws IOException {
        for (String line = answers.readLine(); line != null; line = answers.readLine()) {
            if (line.startsWith(word)) {
                return Long.parseLong(line.substring(word.length()));
            }
        }
        throw new IOException("the server has ended and did not say '" + word + "…'");
    }

    /** Ends the process: it serves no longer than it is asked. */
    @Override
    public void close() throws IOException {
        questions.close();
        try {
            if (process.waitFor(SECONDS_TO_END, TimeUnit.SECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
    }
}
