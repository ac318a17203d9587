package io.ratelimit.benchmarks.filter;

/**
 * What a request has cost the server, on the average of one round.
 *
 * @param micros microseconds of processor time of the whole process
 * @param requestMicros microseconds of the threads that work for requests
 * @param bytes what it has allocated
 * @param p99Micros microseconds within which 99 of 100 requests were answered that came one at a time
 */
public record Sample(double micros, double requestMicros, double bytes, double p99Micros) {

    private static final double NANOS_PER_MICRO = 1_000;

    static Sample of(ProcessorTime time, long bytes, int requests, double p99Micros) {
        return new Sample(
                time.nanos() / NANOS_PER_MICRO / requests,
                time.requestNanos() / NANOS_PER_MICRO / requests,
                (double) bytes / requests,
                p99Micros);
    }

    Sample minus(Sample other) {
        return new Sample(
                micros - other.micros,
                requestMicros - other.requestMicros,
                bytes - other.bytes,
                p99Micros - other.p99Micros);
    }
}
