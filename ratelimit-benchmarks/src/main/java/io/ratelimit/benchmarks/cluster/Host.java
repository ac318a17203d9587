package io.ratelimit.benchmarks.cluster;

import io.ratelimit.benchmarks.Conversation;
import io.ratelimit.benchmarks.ForkedProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A running {@link HostProcess}, as seen by the process that measures. Used by one thread at a time. */
final class Host implements AutoCloseable {

    private static final List<String> JVM_FLAGS = List.of("-Xms256m", "-Xmx256m", "-XX:+UseSerialGC");

    private final Conversation talk;
    private final Path log;
    private boolean loaded;

    private Host(Conversation talk, Path log) {
        this.talk = talk;
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
        return new Host(new Conversation(process), directory.resolve(place + ".requests"));
    }

    void awaitReady() throws IOException {
        hear("ready");
    }

    void load(long start, long end, int clients, double rate) throws IOException {
        loaded = true;
        talk.order("load " + log + " " + start + " " + end + " " + clients + " " + rate);
    }

    /** The requests that the host has made; none if it was killed before it could say. */
    List<Request> requests() throws IOException {
        if (!loaded || !talk.process().isAlive()) {
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
        talk.process().destroyForcibly();
    }

    /** Shuts the host down in good order; it stops making requests. */
    void leave() throws IOException {
        talk.order("leave");
    }

    private void signal(String name) throws IOException, InterruptedException {
        int code = new ProcessBuilder(
                        "kill", "-" + name, Long.toString(talk.process().pid()))
                .start()
                .waitFor();
        if (code != 0) {
            throw new IOException("the process could not be sent " + name);
        }
    }

    private String hear(String word) throws IOException {
        return talk.hear(HostProcess.WORD + word);
    }

    /** Ends the process. */
    @Override
    public void close() {
        talk.close();
    }
}
