package io.ratelimit.core.rules;

import java.lang.management.ManagementFactory;
import java.time.Duration;

/** What the current thread has computed since a moment; unlike elapsed time it does not depend on the machine's load. */
final class ProcessorTime {

    private final long start = now();

    private ProcessorTime() {}

    static ProcessorTime start() {
        return new ProcessorTime();
    }

    Duration used() {
        return Duration.ofNanos(now() - start);
    }

    private static long now() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
