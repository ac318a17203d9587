package io.ratelimit.core;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.function.IntFunction;

/**
 * How the processor time of a work grows with its size. Machines differ, and the same one from hour to hour, by more than any
 * bound in seconds allows for; how a work grows is the same on all of them: five times as much of it takes five times as long
 * where it is linear, and 25 times where it is quadratic.
 */
public final class Growth {

    /** The large work is so many times as large as the small one. */
    private static final int TIMES = 5;

    /** More than noise makes of five, less than quadratic work makes of it. */
    public static final double NEARLY_LINEAR = 12;

    private static final int RUNS = 3;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private Growth() {}

    /**
     * Does a work in its size and in a fifth of it, by turns, and compares the least times.
     *
     * @param size how large
     * @param prepared gets the work of a size ready; only its run is timed
     * @return how many times as long the large one takes
     */
    public static double upTo(int size, IntFunction<Runnable> prepared) {
        Runnable small = prepared.apply(size / TIMES);
        Runnable large = prepared.apply(size);
        long leastSmall = Long.MAX_VALUE;
        long leastLarge = Long.MAX_VALUE;
        for (int run = 0; run < RUNS; run++) {
            leastLarge = Math.min(leastLarge, nanos(large));
            leastSmall = Math.min(leastSmall, nanos(small));
        }
        return (double) leastLarge / leastSmall;
    }

    private static long nanos(Runnable work) {
        long begin = THREADS.getCurrentThreadCpuTime();
        work.run();
        return THREADS.getCurrentThreadCpuTime() - begin;
    }
}
