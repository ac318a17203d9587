package io.ratelimit.benchmarks.simulation;

import com.google.common.math.PairedStatsAccumulator;
import java.util.Arrays;
import java.util.stream.IntStream;

/** What was admitted of each bucket, beside what its limit allows. Used by one thread. */
final class Admissions {

    private static final double NANOS_PER_SECOND = 1e9;

    /** Of its limit: chance makes who is asked for a little less ask for more at times, and the reverse. */
    private static final double BELOW = 0.9;

    private static final double ABOVE = 1.5;

    private final Scenario scenario;
    private final double[] offered;
    private final long[] admitted;
    private final double[] excess;
    private final long[] byHost;
    private final PairedStatsAccumulator soFar = new PairedStatsAccumulator();
    private long begunNanos;
    private boolean settled;
    private long askedBelow;
    private long refusedBelow;
    private long askedInAll;

    /**
     * Begins with nothing.
     *
     * @param shares how requests are spread over buckets
     */
    Admissions(Scenario scenario, Shares shares) {
        this.scenario = scenario;
        this.offered = new double[scenario.buckets()];
        this.admitted = new long[scenario.buckets()];
        this.excess = new double[scenario.buckets()];
        this.byHost = new long[scenario.hosts()];
        for (int i = 0; i < offered.length; i++) {
            offered[i] = scenario.load() * scenario.buckets() * shares.of(i);
        }
    }

    /** The first request comes now. */
    void begin(long nanos) {
        begunNanos = nanos;
    }

    /** From now on the long run is measured. */
    void settle() {
        settled = true;
        Arrays.fill(admitted, 0);
        Arrays.fill(byHost, 0);
    }

    /**
     * Takes note of a request.
     *
     * @param host where it came
     * @param passes whether it was admitted there
     * @param wouldPass whether one exact bucket for all hosts would have admitted it
     */
    void asked(int bucket, int host, boolean passes, boolean wouldPass, long nanos) {
        askedInAll++;
        if (offered[bucket] <= BELOW) {
            askedBelow++;
            refusedBelow += wouldPass && !passes ? 1 : 0;
        }
        if (passes) {
            admitted[bucket]++;
            byHost[host]++;
            if (!settled) {
                double allowed = scenario.burst() + scenario.limit() * ((nanos - begunNanos) / NANOS_PER_SECOND);
                excess[bucket] = Math.max(excess[bucket], admitted[bucket] - allowed);
            }
        }
    }

    /** Takes note of how much has been admitted in the long run so far, for the trend. Called at even intervals. */
    void sample(long nanos) {
        soFar.add((nanos - begunNanos) / NANOS_PER_SECOND, (double) admittedAbove());
    }

    long askedInAll() {
        return askedInAll;
    }

    /** Requests for buckets that are asked for nine tenths of their limit at most. */
    long askedBelow() {
        return askedBelow;
    }

    /** Those of them that were refused though an exact bucket would have admitted them. */
    long refusedBelow() {
        return refusedBelow;
    }

    /** The most that was admitted beyond the limit of a bucket, at any time until all settled. */
    double excess() {
        return Arrays.stream(excess).max().orElse(0);
    }

    /** What was admitted in the long run of buckets that are asked for half more at least, of their limits; NaN without such. */
    double longRun() {
        return allowedAbove() == 0 ? Double.NaN : admittedAbove() / (scenario.measuredSeconds() * allowedAbove());
    }

    /**
     * The same by the slope of the line that fits best what had been admitted at each sample, so that it matters little at which
     * point of a wave the long run begins and ends.
     */
    double trend() {
        return allowedAbove() == 0 ? Double.NaN : soFar.leastSquaresFit().slope() / allowedAbove();
    }

    private long admittedAbove() {
        return IntStream.range(0, offered.length)
                .filter(i -> offered[i] >= ABOVE)
                .mapToLong(i -> admitted[i])
                .sum();
    }

    /** In tokens a second. */
    private double allowedAbove() {
        return Arrays.stream(offered).filter(load -> load >= ABOVE).count() * (double) scenario.limit();
    }

    /** The part of all that was admitted in the long run that the host has admitted that admits most. */
    double mostOfOneHost() {
        return (double) Arrays.stream(byHost).max().orElse(0)
                / Arrays.stream(byHost).sum();
    }

    /** The part of the hosts that are asked which have admitted something in the long run. */
    double admittingHosts() {
        return (double) Arrays.stream(byHost).filter(count -> count > 0).count() / scenario.asked();
    }

    /** The rate offered of the bucket that is asked for most, in tokens a second. */
    double mostOffered() {
        return Arrays.stream(offered).max().orElse(0) * scenario.limit();
    }
}
