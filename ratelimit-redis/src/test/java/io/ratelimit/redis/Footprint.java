package io.ratelimit.redis;

import java.lang.management.ManagementFactory;

/**
 * What this process takes.
 *
 * @param heapBytes what is in use
 * @param threads how many there are
 */
record Footprint(long heapBytes, int threads) {

    private static final int COLLECTIONS = 5;

    /** Once what is of no more use is gone. */
    static Footprint after(Runnable cleaning) throws InterruptedException {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < COLLECTIONS; i++) {
            cleaning.run();
            System.gc();
            least = Math.min(
                    least,
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
            Thread.sleep(200);
        }
        return new Footprint(least, ManagementFactory.getThreadMXBean().getThreadCount());
    }
}
