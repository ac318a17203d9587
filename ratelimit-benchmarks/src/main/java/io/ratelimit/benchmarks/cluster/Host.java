package io.ratelimit.benchmarks.cluster;

import io.ratelimit.benchmarks.ForkedProgram;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A running {@link HostProcess}, as seen by the process that measures. Used by one thread at a time. */
final class Host implements AutoCloseable {

    private static final List<String> JVM_FLAGS = List.of("-Xms256m", "-Xmx256m", "-XX:+UseSerialGC");
    private static final long SECONDS_TO_END = 30;

    private final Process process;
    private final BufferedReader answers;
    private final BufferedWriter orders;
    private final Path log;
    private boolean loaded;

    private Host(Process process, Path log) {
        this.process = process;
        this.answers = process.inputReader(StandardCharsets.UTF_8);
        this.orders = process.outputWriter(StandardCharsets.US_ASCII);
        this.log = log;
    }

    /**
     * Starts one. Returns at once.
     *
     * @param directory where files of the run are
     * @param rules the rules file
     * @param cluster the cluster's name
     * @param prefix what is written before its command
     * @param place where it is, as {@code HOST:PORT}
     * @param members where others are
     */
    static Host start(Path directory, Path rules, String cluster, List<String> prefix, String place, String members)
            throws IOException {
        Process process = new ForkedProgram(HostProcess.class, JVM_FLAGS)
                .start(prefix, List.of(rules.toString(), cluster, place, members));
        return new Host(process, directory.resolve(place + ".requests"));
    }

    void awaitReady() throws IOException {
        hear("ready");
    }

    void load(long start, long end, int clients, double rate) throws IOException {
        loaded = true;
        order("load " + log + " " + start + " " + end + " " + clients + " " + rate);
    }

    /** The requests that the host has made; none if it was killed before it could say. */
    List<Request> requests() throws IOException {
        if (!loaded || !process.isAlive()) {
            return Files.exists(log) ? Request.read(log) : List.of();
        }
        hear("done");
        return Request.read(log);
    }

    void freeze() throws IOException, InterruptedException {
        signal("STOP");
    }

    void thaw() throws IOException, InterruptedException {
        signal("CONT");
    }

    void kill() {
        process.destroyForcibly();
    }

    /** Shuts the host down in good order; it stops making requests. */
    void leave() throws IOException {
        order("leave");
    }

    /** Used heap after a collection in bytes, and the number of threads. */
    long[] state() throws IOException {
        order("state");
        String[] words = hear("state ").split(" ", -1);
        return new long[] {Long.parseLong(words[0]), Long.parseLong(words[1])};
    }

    boolean isAlive() {
        return process.isAlive();
    }

    private void signal(String name) throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
        if (code != 0) {
            throw new IOException("the process could not be sent " + name);
        }
    }

    private void order(String line) throws IOException {
        orders.write(line + "\n");
        orders.flush();
    }

    private String hear(String word) throws IOException {
        for (String line = answers.readLine(); line != null; line = answers.readLine()) {
            if (line.startsWith(HostProcess.WORD + word)) {
                return line.substring(HostProcess.WORD.length() + word.length());
            }
            if (line.startsWith(HostProcess.WORD + "failed")) {
                throw new IOException(line);
            }
        }
        throw new IOException("a host has ended and did not say '" + word + "'");
    }

    /** Ends the process. */
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
