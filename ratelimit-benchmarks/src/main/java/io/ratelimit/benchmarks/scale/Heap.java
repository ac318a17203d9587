package io.ratelimit.benchmarks.scale;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** What lies on the heap, and how long the collector needs to go through it. */
final class Heap {

    private static final double BYTES_PER_MB = 1e6;
    private static final int COLLECTIONS = 7;

    private final MemoryMXBean memory = ManagementFactory.getMemoryMXBean();

    /** Bytes after a full collection. */
    long used() {
        memory.gc();
        return memory.getHeapMemoryUsage().getUsed();
    }

    static double megabytes(double bytes) {
        return bytes / BYTES_PER_MB;
    }

    /** The row with the times of full collections of what lies there now. */
    Row withFullCollections(Row row) {
        memory.gc();
        double[] wall = new double[COLLECTIONS];
        long before = collectorMillis();
        for (int i = 0; i < COLLECTIONS; i++) {
            long start = System.nanoTime();
            memory.gc();
            wall[i] = (double) (System.nanoTime() - start) / TimeUnit.MILLISECONDS.toNanos(1);
        }
        double byCollector = (double) (collectorMillis() - before) / COLLECTIONS;
        Arrays.sort(wall);
        return row.with(Figure.FULL_COLLECTION, wall[COLLECTIONS / 2])
                .with(Figure.SHORTEST_COLLECTION, wall[0])
                .with(Figure.LONGEST_COLLECTION, wall[COLLECTIONS - 1])
                .with(Figure.COLLECTOR_TIME, byCollector);
    }

    private static long collectorMillis() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .sum();
    }
}
