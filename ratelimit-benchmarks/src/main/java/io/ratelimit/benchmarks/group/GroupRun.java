package io.ratelimit.benchmarks.group;

import io.ratelimit.benchmarks.Fact;
import io.ratelimit.benchmarks.Interleaved;
import io.ratelimit.benchmarks.Markdown;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;

/** Measures hosts that tell one another what was spent, on the loopback address. */
public final class GroupRun {

    /** How messages can travel. */
    public static final List<String> TRANSPORTS = List.of("udp", "tcp");

    private static final List<String> TOPOLOGIES = List.of("mesh", "gossip", "leader");
    private static final List<Integer> HOSTS = List.of(3, 10, 20);
    private static final List<Integer> FEW_HOSTS = List.of(3);
    private static final List<Integer> OVERLOADS = List.of(2, 10);

    private static final int SECONDS = 15;

    /** What a burst has overdrawn is paid back by then. */
    private static final int SETTLED_SECONDS = 5;

    private static final int WARM_UP_ROUNDS = 5;
    private static final int ROUNDS = 11;
    private static final int CALLS = 100_000;

    private final String transport;
    private final boolean quick;
    private final PrintStream progress;

    /**
     * Makes a run.
     *
     * @param transport how messages travel: {@code udp} or {@code tcp}
     * @param quick whether three hosts are enough, and their decisions need not be timed
     * @param progress where it says what it does
     */
    public GroupRun(String transport, boolean quick, PrintStream progress) {
        this.transport = transport;
        this.quick = quick;
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
        Markdown report = new Markdown(facts);
        if (!quick) {
            addTimes(report);
        }
        addLoads(report);
        return report.toString();
    }

    private void addTimes(Markdown report) throws IOException, InterruptedException {
        report.table(
                "One decision, in µs, of 10,000 clients that three hosts spend on",
                "| --- | --- | ---: | ---: | ---: | ---: |",
                List.of("topology", "what", "p50", "p99", "p99.9", "datagrams of a host, each second"));
        for (String topology : TOPOLOGIES) {
            progress.println("# Group: decisions while hosts tell one another, " + topology);
            try (TestedGroup group = TestedGroup.start(transport, topology, 3, false)) {
                for (GroupHost host : group.others()) {
                    host.busy(HostProcess.CLIENTS / 2);
                }
                long before = Datagrams.sent();
                long begin = System.nanoTime();
                Interleaved<Way> times = Interleaved.take(
                        Way.class, WARM_UP_ROUNDS, ROUNDS, way -> group.first().time(way, CALLS));
                double seconds = (System.nanoTime() - begin) / 1e9;
                long datagrams = (long) ((Datagrams.sent() - before) / seconds / 3);
                for (Way way : Way.values()) {
                    report.row(List.of(
                            topology,
                            way.title(),
                            Interleaved.micros(times.middle(way, 0)),
                            Interleaved.micros(times.middle(way, 1)),
                            Interleaved.micros(times.middle(way, 2)),
                            datagrams(datagrams)));
                }
            }
        }
    }

    private void addLoads(Markdown report) throws IOException {
        report.table(
                "One client at all hosts over " + transport + ", " + HostProcess.LIMIT + " tokens a second, burst "
                        + HostProcess.BURST + ", for " + SECONDS + " s",
                "| --- | ---: | ---: | ---: | ---: | ---: |",
                List.of(
                        "topology",
                        "hosts",
                        "asked ÷ limit",
                        "admitted ÷ limit after " + SETTLED_SECONDS + " s",
                        "beyond burst and limit in the first second",
                        "datagrams of a host, each second"));
        for (String topology : TOPOLOGIES) {
            for (int hosts : quick ? FEW_HOSTS : HOSTS) {
                progress.println("# Group: " + hosts + " hosts, " + topology);
                try (TestedGroup group = TestedGroup.start(transport, topology, hosts, true)) {
                    for (int overload : OVERLOADS) {
                        addLoad(report, group, topology, hosts, overload);
                    }
                }
            }
        }
    }

    private void addLoad(Markdown report, TestedGroup group, String topology, int hosts, int overload)
            throws IOException {
        long before = Datagrams.sent();
        long[] counts = group.load("overload-" + overload, (double) overload * HostProcess.LIMIT, SECONDS);
        long datagrams = (Datagrams.sent() - before) / SECONDS / hosts;
        long settled = LongStream.of(counts).skip(1 + SETTLED_SECONDS).sum();
        report.row(List.of(
                topology,
                Integer.toString(hosts),
                String.format(Locale.ROOT, "%.1f", (double) counts[0] / SECONDS / HostProcess.LIMIT),
                String.format(Locale.ROOT, "%.3f", (double) settled / (SECONDS - SETTLED_SECONDS) / HostProcess.LIMIT),
                Interleaved.number(counts[1] - HostProcess.LIMIT - HostProcess.BURST),
                datagrams(datagrams)));
    }

    private String datagrams(long perSecond) {
        return transport.equals("udp") ? Interleaved.number(perSecond) : "–";
    }
}
