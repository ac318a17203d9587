package io.ratelimit.benchmarks.cluster;

import io.ratelimit.benchmarks.Conversation;
import io.ratelimit.benchmarks.ForkedProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A running {@link HostProcess}, as seen by the process that measures. Used by one thread at a time. */
final class Host implements AutoCloseable {

    private static final List<String> JVM_FLAGS = List.of("-Xms256m", "-Xmx256m", "-XX:+UseSerialGC");

    private final Conversation talk;
    private final Path directory;
    private final int index;
    private String logs = "";
    private boolean loading;
    private boolean left;

    /**
     * What a host holds at some time.
     *
     * @param heapBytes after a garbage collection
     * @param threads that are alive
     */
    record State(long heapBytes, int threads) {}

    private Host(Conversation talk, Path directory, int index) {
        this.talk = talk;
        this.directory = directory;
        this.index = index;
    }

    /**
     * Starts one. Returns at once.
     *
     * @param directory where files of the run are
     * @param index its number among the hosts
     * @param prefix what is written before its command
     * @param clockMillis how far its wall clock is from the right time
     * @param settings its settings
     */
    static Host start(Path directory, int index, List<String> prefix, long clockMillis, Map<String, String> settings)
            throws IOException {
        List<String> flags = new ArrayList<>(JVM_FLAGS);
        flags.addAll(WallClock.jvmFlags(clockMillis));
        List<String> args =
                new ArrayList<>(List.of(directory.resolve(Cluster.RULES).toString()));
        settings.forEach((name, value) -> args.add(name + "=" + value));
        Process process = new ForkedProgram(HostProcess.class, flags).start(prefix, args);
        return new Host(new Conversation(process), directory, index);
    }

    void awaitReady() throws IOException {
        hear("ready");
    }

    /**
     * Begins to make requests.
     *
     * @param run a name for the files with the requests
     * @param flows kinds of requests
     */
    void load(String run, List<Flow> flows, long start, long end, int clients) throws IOException {
        loading = true;
        logs = directory.resolve(run + "-" + index).toString();
        StringBuilder order = new StringBuilder("load " + logs + " " + start + " " + end + " " + clients);
        flows.forEach(flow -> order.append(' ').append(flow.path()).append('=').append(flow.rate()));
        talk.order(order.toString());
    }

    /** Waits until the host has made all its requests. */
    void awaitRequests() throws IOException {
        if (loading && isUp()) {
            hear("done");
        }
        loading = false;
    }

    /** The requests of one kind that the host has made; what a killed one made last may be missing. */
    List<Request> requests(int kind) throws IOException {
        Path log = RequestLogs.file(logs, kind);
        return Files.exists(log) ? Request.read(log) : List.of();
    }

    /** What a host holds that is up. */
    State state() throws IOException {
        talk.order("state");
        String[] words = hear("state ").split(" ", -1);
        return new State(Long.parseLong(words[0]), Integer.parseInt(words[1]));
    }

    boolean isUp() {
        return !left && talk.process().isAlive();
    }

    void freeze() throws IOException, InterruptedException {
        signal("STOP");
    }

    void thaw() throws IOException, InterruptedException {
        signal("CONT");
    }

    /** Returns when it is gone. */
    void kill() {
        talk.process().destroyForcibly().onExit().join();
    }

    /** Has it stop making requests and shut down in good order. Returns when it has. */
    void leave() throws IOException {
        talk.order("leave");
        hear("left");
        left = true;
    }

    void setClock(long offsetMillis) throws IOException {
        talk.order("clock " + offsetMillis);
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
