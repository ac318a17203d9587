package io.ratelimit.server.web;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** How slow the machine is now, so that bounds of time hold on slow and busy ones too. */
public final class Yardstick {

    /** What it takes on a machine of usual speed. */
    private static final double USUAL_NANOS = 6e7;

    private static final int TIMES = 5;
    private static final int NAMES = 200_003;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private Yardstick() {}

    /** How many times as long as on a machine of usual speed something takes here, 1 or more. */
    public static double slowness() {
        return Math.max(1, nanos() / USUAL_NANOS);
    }

    /** The least time to put names in order. */
    private static long nanos() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < TIMES; i++) {
            long begin = THREADS.getCurrentThreadCpuTime();
            int size = IntStream.range(0, NAMES)
                    .mapToObj(name -> "rule-" + name * 7_919L % NAMES)
                    .collect(Collectors.toCollection(TreeSet::new))
                    .size();
            least = Math.min(least, THREADS.getCurrentThreadCpuTime() - begin + NAMES - size);
        }
        return least;
    }
}
