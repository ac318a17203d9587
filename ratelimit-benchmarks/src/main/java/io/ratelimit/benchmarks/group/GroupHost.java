package io.ratelimit.benchmarks.group;

import io.ratelimit.benchmarks.Conversation;
import io.ratelimit.benchmarks.ForkedProgram;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/** A running {@link HostProcess}, as seen by the process that measures. */
final class GroupHost implements AutoCloseable {

    private static final List<String> LARGE = List.of("-Xms512m", "-Xmx512m");
    private static final List<String> SMALL =
            List.of("-Xms96m", "-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private final Conversation talk;

    private GroupHost(Conversation talk) {
        this.talk = talk;
    }

    /**
     * Starts one, without waiting until it is ready.
     *
     * @param small whether many are to run on a small machine
     * @param args see {@link HostProcess#main}
     */
    static GroupHost start(boolean small, String... args) throws IOException {
        return new GroupHost(
                new Conversation(new ForkedProgram(HostProcess.class, small ? SMALL : LARGE).start(List.of(args))));
    }

    void awaitReady() throws IOException {
        hear("ready");
    }

    void awaitHosts(int count) throws IOException {
        talk.order("hosts " + count);
        hear("together");
    }

    void busy(int rate) throws IOException {
        talk.order("busy " + rate);
        hear("busy");
    }

    /** The median, the 99th percentile and the 99.9th of some calls, in nanoseconds. */
    long[] time(Way way, int calls) throws IOException {
        talk.order("time " + way.name() + " " + calls);
        return numbers(hear("took "));
    }

    void beginLoad(String client, double rate, int seconds) throws IOException {
        talk.order("load " + client + " " + rate + " " + seconds);
    }

    /** How many asked, and then how many passed in each second. */
    long[] endLoad() throws IOException {
        return numbers(hear("asked "));
    }

    private static long[] numbers(String text) {
        return Stream.of(text.split(" ", -1)).mapToLong(Long::parseLong).toArray();
    }

    private String hear(String word) throws IOException {
        return talk.hear(HostProcess.WORD + word);
    }

    @Override
    public void close() {
        talk.close();
    }
}
