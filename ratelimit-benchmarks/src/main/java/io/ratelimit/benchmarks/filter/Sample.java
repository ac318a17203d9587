package io.ratelimit.benchmarks.filter;

/**
 * What a request has cost the server, on the average of one round.
 *
 * @param micros microseconds of processor time of the whole process
 * @param requestMicros microseconds of the threads that work for requests
 * @param bytes what it has allocated
 */
public record Sample(double micros, double requestMicros, double bytes) {

    private static final double NANOS_PER_MICRO = 1_000;

    static Sample of(ProcessorTime time, long bytes, int requests) {
        return new Sample(
                time.nanos() / NANOS_PER_MICRO / requests,
                time.requestNanos() / NANOS_PER_MICRO / requests,
                (double) bytes / requests);
    }

    Sample minus(Sample other) {
        return new Sample(micros - other.micros, requestMicros - other.requestMicros, bytes - other.bytes);
    }
}
