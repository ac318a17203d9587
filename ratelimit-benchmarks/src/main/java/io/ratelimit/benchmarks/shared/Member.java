package io.ratelimit.benchmarks.shared;

import io.ratelimit.benchmarks.ForkedProgram;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A running {@link MemberProcess}, as seen by the process that measures. */
final class Member implements AutoCloseable {

    private static final List<String> JVM_FLAGS = List.of("-Xms512m", "-Xmx512m");
    private static final long SECONDS_TO_END = 20;

    private final Process process;
    private final BufferedReader answers;
    private final BufferedWriter orders;

    private Member(Process process) {
        this.process = process;
        this.answers = process.inputReader(StandardCharsets.UTF_8);
        this.orders = process.outputWriter(StandardCharsets.US_ASCII);
    }

    static Member start(String cluster, int port, String ports) throws IOException {
        Member member = new Member(new ForkedProgram(MemberProcess.class, JVM_FLAGS)
                .start(List.of(cluster, Integer.toString(port), ports)));
        member.hear("ready");
        return member;
    }

    /** The median and the 99th percentile of some calls, in nanoseconds. */
    long[] time(Asked asked, int calls) throws IOException {
        order("time " + asked + " " + calls);
        String[] words = hear("took ").split(" ", -1);
        return new long[] {Long.parseLong(words[0]), Long.parseLong(words[1])};
    }

    void beginHot(Asked asked, int threads, long nanos) throws IOException {
        order("hot " + asked + " " + threads + " " + nanos);
    }

    long endHot() throws IOException {
        return Long.parseLong(hear("done "));
    }

    private void order(String line) throws IOException {
        orders.write(line + "\n");
        orders.flush();
    }

    private String hear(String word) throws IOException {
        for (String line = answers.readLine(); line != null; line = answers.readLine()) {
            if (line.startsWith(MemberProcess.WORD + word)) {
                return line.substring(MemberProcess.WORD.length() + word.length());
            }
        }
        throw new IOException("a member has ended and did not say '" + word + "'");
    }

    @Override
    public void close() throws IOException {
        orders.close();
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
