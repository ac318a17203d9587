package io.ratelimit.benchmarks.shared;

import io.ratelimit.benchmarks.Conversation;
import io.ratelimit.benchmarks.ForkedProgram;
import java.io.IOException;
import java.util.List;

/** A running {@link MemberProcess}, as seen by the process that measures. */
final class Member implements AutoCloseable {

    private static final List<String> JVM_FLAGS = List.of("-Xms512m", "-Xmx512m");

    private final Conversation talk;

    private Member(Conversation talk) {
        this.talk = talk;
    }

    static Member start(String cluster, int port, String ports) throws IOException {
        Member member = new Member(new Conversation(new ForkedProgram(MemberProcess.class, JVM_FLAGS)
                .start(List.of(cluster, Integer.toString(port), ports))));
        member.hear("ready");
        return member;
    }

    /** The median and the 99th percentile of some calls, in nanoseconds. */
    long[] time(Asked asked, int calls) throws IOException {
        talk.order("time " + asked + " " + calls);
        String[] words = hear("took ").split(" ", -1);
        return new long[] {Long.parseLong(words[0]), Long.parseLong(words[1])};
    }

    void beginHot(Asked asked, int threads, long nanos) throws IOException {
        talk.order("hot " + asked + " " + threads + " " + nanos);
    }

    long endHot() throws IOException {
        return Long.parseLong(hear("done "));
    }

    private String hear(String word) throws IOException {
        return talk.hear(MemberProcess.WORD + word);
    }

    @Override
    public void close() {
        talk.close();
    }
}
