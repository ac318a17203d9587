package io.ratelimit.benchmarks;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/**
 * Measures what a call allocates once the compiler is done with it: the virtual machine counts the bytes of this thread
 * exactly. The lowest of many rounds counts, since whatever disturbs one only adds. How soon code is compiled is the
 * machine's affair, so that a figure that is still too high gets more rounds before it counts.
 */
final class AllocatedBytes {

    private static final int CALLS = 10_000;
    private static final int ROUNDS = 20;
    private static final long PATIENCE_NANOS = Duration.ofSeconds(3).toNanos();

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /**
     * Measures a call.
     *
     * @param call what is called on this thread
     * @param hoped how many bytes are few enough to stop early
     * @return the bytes of a call, rounded up, so that what is allocated now and then shows too
     */
    long of(Runnable call, long hoped) {
        long start = System.nanoTime();
        long lowest = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS || lowest > hoped && System.nanoTime() - start < PATIENCE_NANOS; round++) {
            lowest = Math.min(lowest, bytesOfARound(call));
        }
        return lowest;
    }

    private long bytesOfARound(Runnable call) {
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < CALLS; i++) {
            call.run();
        }
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        return (allocated + CALLS - 1) / CALLS;
    }
}
