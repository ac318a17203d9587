package io.ratelimit.benchmarks.filter;

import io.ratelimit.benchmarks.ForkedProgram;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
        Process process = new ForkedProgram(FilterServerProcess.class, jvmFlags).start(List.of(container.name()));
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
