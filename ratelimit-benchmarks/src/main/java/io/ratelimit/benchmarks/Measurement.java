package io.ratelimit.benchmarks;

/**
 * What one benchmark measured with one number of threads.
 *
 * @param group what it is compared with
 * @param benchmark its name, that of its method
 * @param threads how many threads ran it
 * @param nanos mean nanoseconds for an operation, of each thread
 * @param error half of the 99.9 % confidence interval of the mean, in nanoseconds; not a number if it was measured once
 * @param bytes bytes allocated by an operation
 * @param processorNanos nanoseconds of processor time for an operation, those of the garbage collector and of all that
 *     the process does besides included
 */
record Measurement(
        Group group, String benchmark, int threads, double nanos, double error, double bytes, double processorNanos) {}
