package io.ratelimit.benchmarks.shared;

import io.ratelimit.benchmarks.Fact;
import io.ratelimit.benchmarks.FreePorts;
import io.ratelimit.benchmarks.Interleaved;
import io.ratelimit.benchmarks.Markdown;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/** Measures decisions that three hosts share. */
public final class SharedRun {

    private static final int MEMBERS = 3;
    private static final int CALLS = 2_000;
    private static final int WARM_UP_ROUNDS = 5;
    private static final int ROUNDS = 15;
    private static final List<Integer> CALLERS = List.of(3, 24, 400);
    private static final long HOT_NANOS = 3_000_000_000L;

    private final PrintStream progress;

    /**
     * Makes a run.
     *
     * @param progress where it says what it does
     */
    public SharedRun(PrintStream progress) {
        this.progress = progress;
    }

    /**
     * Measures.
     *
     * @param facts what the figures depend on
     * @return the report, in Markdown
     * @throws IOException if a process cannot be started or fails
     * @throws InterruptedException if the thread is interrupted meanwhile
     */
    public String report(List<Fact> facts) throws IOException, InterruptedException {
        List<Member> members = new ArrayList<>();
        try {
            start(members);
            Markdown report = new Markdown(facts);
            addTimes(report, members.get(0));
            addHotKey(report, members);
            return report.toString();
        } finally {
            for (Member member : members) {
                member.close();
            }
        }
    }

    private static void start(List<Member> members) throws IOException {
        List<Integer> ports = FreePorts.find(MEMBERS);
        String all = ports.stream().map(String::valueOf).collect(Collectors.joining(","));
        String cluster = "shared-" + UUID.randomUUID();
        for (int port : ports) {
            members.add(Member.start(cluster, port, all));
        }
    }

    private void addTimes(Markdown report, Member asking) throws IOException, InterruptedException {
        progress.println("# Shared: one decision after the other");
        Interleaved<Asked> times =
                Interleaved.take(Asked.class, WARM_UP_ROUNDS, ROUNDS, asked -> asking.time(asked, CALLS));
        report.table(
                "One decision after the other, from one of three hosts",
                "| --- | ---: | ---: | ---: | ---: |",
                List.of("what", "p50 µs", "× bare", "× Bucket4j", "p99 µs"));
        long bare = times.middle(Asked.BARE, 0);
        long bucket4j = times.middle(Asked.BUCKET4J, 0);
        for (Asked asked : Asked.values()) {
            long half = times.middle(asked, 0);
            report.row(List.of(
                    asked.title(),
                    Interleaved.micros(half),
                    Interleaved.ratio(half, bare),
                    Interleaved.ratio(half, bucket4j),
                    Interleaved.micros(times.middle(asked, 1))));
        }
    }

    private void addHotKey(Markdown report, List<Member> members) throws IOException {
        report.table(
                "One client, asked for by all three hosts at once",
                "| --- | ---: | ---: | ---: |",
                List.of("what", "callers", "decisions/s", "× Bucket4j"));
        for (int callers : CALLERS) {
            long bucket4j = hot(members, Asked.BUCKET4J, callers);
            for (Asked asked : List.of(Asked.BUCKET4J, Asked.BARE, Asked.OURS, Asked.OURS_LEASED)) {
                long done = asked == Asked.BUCKET4J ? bucket4j : hot(members, asked, callers);
                report.row(List.of(
                        asked.title(),
                        Integer.toString(callers),
                        Interleaved.number(done),
                        Interleaved.ratio(done, bucket4j)));
            }
        }
    }

    private long hot(List<Member> members, Asked asked, int callers) throws IOException {
        progress.println("# Shared: " + callers + " callers for one client, " + asked.title());
        long done = 0;
        for (int i = 0; i < 2; i++) {
            done = 0;
            for (Member member : members) {
                member.beginHot(asked, Math.max(1, callers / members.size()), HOT_NANOS);
            }
            for (Member member : members) {
                done += member.endHot();
            }
        }
        return done * 1_000_000_000L / HOT_NANOS;
    }
}
