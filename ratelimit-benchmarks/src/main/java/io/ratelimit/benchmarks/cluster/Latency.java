package io.ratelimit.benchmarks.cluster;

import java.util.List;

/**
 * How long answers took.
 *
 * @param half the median, in nanoseconds
 * @param p99 the 99th percentile
 * @param longest the longest
 */
record Latency(long half, long p99, long longest) {

    static Latency of(List<Request> requests) {
        long[] took = requests.stream().mapToLong(Request::tookNanos).sorted().toArray();
        return new Latency(quantile(took, 0.5), quantile(took, 0.99), quantile(took, 1));
    }

    private static long quantile(long[] sorted, double part) {
        return sorted.length == 0 ? 0 : sorted[(int) Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
    }
}
