package io.ratelimit.benchmarks.filter;

/**
 * Processor time.
 *
 * @param nanos nanoseconds of all threads, those of the compiler and the garbage collector included
 * @param requestNanos nanoseconds of the threads that work for requests
 */
record ProcessorTime(long nanos, long requestNanos) {

    ProcessorTime since(ProcessorTime before) {
        return new ProcessorTime(nanos - before.nanos, requestNanos - before.requestNanos);
    }
}
