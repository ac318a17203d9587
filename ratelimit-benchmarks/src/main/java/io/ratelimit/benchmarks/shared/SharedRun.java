package io.ratelimit.benchmarks.shared;

import io.ratelimit.benchmarks.Fact;
import io.ratelimit.benchmarks.FreePorts;
import io.ratelimit.benchmarks.Markdown;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
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
     */
    public String report(List<Fact> facts) throws IOException {
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

    /** In rounds whose order is drawn anew, so that whatever befalls the machine befalls all. */
    private void addTimes(Markdown report, Member asking) throws IOException {
        Map<Asked, List<long[]>> times = new EnumMap<>(Asked.class);
        List<Asked> order = new ArrayList<>(Arrays.asList(Asked.values()));
        Random random = new Random();
        for (int round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
            progress.println("# Shared: round " + round);
            Collections.shuffle(order, random);
            for (Asked asked : order) {
                long[] took = asking.time(asked, CALLS);
                if (round >= WARM_UP_ROUNDS) {
                    times.computeIfAbsent(asked, made -> new ArrayList<>()).add(took);
                }
            }
        }
        report.table(
                "One decision after the other, from one of three hosts",
                "| --- | ---: | ---: | ---: | ---: |",
                List.of("what", "p50 µs", "× bare", "× Bucket4j", "p99 µs"));
        long bare = middle(times, Asked.BARE, 0);
        long bucket4j = middle(times, Asked.BUCKET4J, 0);
        for (Asked asked : Asked.values()) {
            long half = middle(times, asked, 0);
            report.row(List.of(
                    asked.title(),
                    micros(half),
                    ratio(half, bare),
                    ratio(half, bucket4j),
                    micros(middle(times, asked, 1))));
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
                report.row(List.of(asked.title(), Integer.toString(callers), number(done), ratio(done, bucket4j)));
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

    private static long middle(Map<Asked, List<long[]>> times, Asked asked, int which) {
        long[] all = times.getOrDefault(asked, List.of()).stream()
                .mapToLong(took -> took[which])
                .sorted()
                .toArray();
        return all[all.length / 2];
    }

    private static String micros(long nanos) {
        return String.format(Locale.ROOT, nanos < 10_000 ? "%.2f" : "%.0f", nanos / 1e3);
    }

    private static String ratio(long value, long reference) {
        return String.format(Locale.ROOT, "%.2f", (double) value / reference);
    }

    private static String number(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }
}
