package io.ratelimit.benchmarks;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * Talks to a program that runs in another process, line by line: it is told what to do on its standard input, and answers
 * on its standard output, among whatever else is said there. Used by one thread at a time.
 */
public final class Conversation implements AutoCloseable {

    private static final long SECONDS_TO_END = 30;

    private final Process process;
    private final BufferedReader answers;
    private final BufferedWriter orders;

    /**
     * Begins.
     *
     * @param process the running program, which ends when its standard input does
     */
    public Conversation(Process process) {
        this.process = process;
        this.answers = process.inputReader(StandardCharsets.UTF_8);
        this.orders = process.outputWriter(StandardCharsets.US_ASCII);
    }

    /**
     * The program's process.
     *
     * @return the process
     */
    public Process process() {
        return process;
    }

    /**
     * Tells the program to do something.
     *
     * @param line one line
     * @throws IOException if it has ended
     */
    public void order(String line) throws IOException {
        orders.write(line + "\n");
        orders.flush();
    }

    /**
     * Waits for an answer. What else is said, by the virtual machine itself for instance, does not matter.
     *
     * @param word how the answer begins
     * @return the rest of its line
     * @throws IOException if the program ends without it
     */
    public String hear(String word) throws IOException {
        for (String line = answers.readLine(); line != null; line = answers.readLine()) {
            if (line.startsWith(word)) {
                return line.substring(word.length());
            }
        }
        throw new IOException("the process has ended and did not say '" + word + "…'");
    }

    /** Ends the program: it runs no longer than it is talked to. */
    @Override
    public void close() {
        try {
            orders.close();
            if (process.waitFor(SECONDS_TO_END, TimeUnit.SECONDS)) {
                return;
            }
        } catch (IOException e) {
            // It has ended already.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
    }
}
