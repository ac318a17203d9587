package io.ratelimit.benchmarks.simulation;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** What is simulated, as it was asked for. Not changed once it was read. */
final class Scenario {

    private static final double NANOS_PER_SECOND = 1e9;

    /** How hosts tell one another. */
    enum Topology {
        MESH,
        GOSSIP,
        LEADER;

        String title() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Option(names = "--topology", paramLabel = "HOW", description = "mesh, gossip or leader; default gossip")
    private Topology topology = Topology.GOSSIP;

    @Option(names = "--hosts", paramLabel = "N", description = "2 to 100,000, default 10")
    private int hosts = 10;

    @Option(
            names = "--asked",
            paramLabel = "N",
            description = "how many hosts are asked, the others only hear; default all")
    private int asked;

    @Option(names = "--buckets", paramLabel = "N", description = "buckets that clients ask for, default 1")
    private int buckets = 1;

    @Option(
            names = "--limit",
            paramLabel = "TOKENS",
            description = "tokens a second of a bucket; default 2 for each host, at least 100")
    private long limit;

    @Option(
            names = "--burst",
            paramLabel = "TOKENS",
            description = "what a bucket holds; default what refills in a second")
    private long burst;

    @Option(
            names = "--load",
            paramLabel = "TIMES",
            description = "requests a second, in limits of all buckets; default 2")
    private double load = 2;

    @Option(
            names = "--host-skew",
            paramLabel = "HOW",
            description = "over hosts: even, one (it gets nine tenths) or zipf; default even")
    private Skew hostSkew = Skew.EVEN;

    @Option(names = "--bucket-skew", paramLabel = "HOW", description = "over buckets, in the same words; default even")
    private Skew bucketSkew = Skew.EVEN;

    @Option(names = "--period", paramLabel = "MS", description = "between two times that a host tells, default 50")
    private long periodMillis = 50;

    @Option(names = "--loss", paramLabel = "PART", description = "of messages that are lost, 0 to 1; default 0")
    private double loss;

    @Option(names = "--repeats", paramLabel = "PART", description = "of messages that come twice, 0 to 1; default 0")
    private double repeats;

    @Option(names = "--delay-min", paramLabel = "MS", description = "of a message, default 0.1")
    private double minDelayMillis = 0.1;

    @Option(names = "--delay-max", paramLabel = "MS", description = "of a message, default 2")
    private double maxDelayMillis = 2;

    @Option(
            names = "--restarts",
            paramLabel = "N",
            description = "hosts a minute that start again with an empty memory, default 0")
    private double restarts;

    @Option(names = "--settling", paramLabel = "S", description = "of load before the long run is measured, default 10")
    private double settlingSeconds = 10;

    @Option(names = "--duration", paramLabel = "S", description = "of what is measured after that, default 30")
    private double seconds = 30;

    @Option(names = "--seed", paramLabel = "NUMBER", description = "of chance, default 1")
    private long seed = 1;

    Scenario() {}

    /** Reads a scenario from the options of the command line. */
    static Scenario of(List<String> options) {
        Scenario read = new Scenario();
        new CommandLine(read).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(options.toArray(String[]::new));
        read.check();
        return read;
    }

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if an option is out of its range
     */
    void check() {
        require("--hosts", hosts, 2, 100_000);
        require("--asked", asked, 0, hosts);
        require("--buckets", buckets, 1, 1_000_000);
        require("--limit", (double) limit, 0, 1e9);
        require("--burst", (double) burst, 0, 1e9);
        require("--load", load, 0.001, 1_000);
        require("--period", (double) periodMillis, 1, 60_000);
        require("--loss", loss, 0, 1);
        require("--repeats", repeats, 0, 1);
        require("--delay-min", minDelayMillis, 0, 60_000);
        require("--delay-max", maxDelayMillis, minDelayMillis, 60_000);
        require("--restarts", restarts, 0, 60_000);
        require("--settling", settlingSeconds, 0.1, 3_600);
        require("--duration", seconds, 0.1, 3_600);
    }

    private static void require(String option, double value, double least, double most) {
        if (!(value >= least && value <= most)) {
            throw new IllegalArgumentException(
                    option + " is " + trimmed(value) + ": it must be " + trimmed(least) + " to " + trimmed(most));
        }
    }

    private static String trimmed(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }

    Topology topology() {
        return topology;
    }

    int hosts() {
        return hosts;
    }

    /** How many hosts are asked. */
    int asked() {
        return asked == 0 ? hosts : asked;
    }

    int buckets() {
        return buckets;
    }

    /** Tokens a second of each bucket. */
    long limit() {
        return limit == 0 ? Math.max(100, 2L * hosts) : limit;
    }

    long burst() {
        return burst == 0 ? limit() : burst;
    }

    double load() {
        return load;
    }

    Skew hostSkew() {
        return hostSkew;
    }

    Skew bucketSkew() {
        return bucketSkew;
    }

    Duration period() {
        return Duration.ofMillis(periodMillis);
    }

    double loss() {
        return loss;
    }

    double repeats() {
        return repeats;
    }

    long minDelayNanos() {
        return Math.round(minDelayMillis * 1e6);
    }

    long maxDelayNanos() {
        return Math.round(maxDelayMillis * 1e6);
    }

    /** Hosts a second that start again. */
    double restartsPerSecond() {
        return restarts / 60;
    }

    long settlingNanos() {
        return Math.round(settlingSeconds * NANOS_PER_SECOND);
    }

    long measuredNanos() {
        return Math.round(seconds * NANOS_PER_SECOND);
    }

    double measuredSeconds() {
        return seconds;
    }

    long seed() {
        return seed;
    }
}
