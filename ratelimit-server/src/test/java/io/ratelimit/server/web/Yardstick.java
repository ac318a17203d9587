package io.ratelimit.server.web;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

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

    /** What it takes to put names in order: half of the times more, half of them less. */
    private static long nanos() {
        return LongStream.generate(Yardstick::orderingNanos)
                .limit(TIMES)
                .sorted()
                .skip(TIMES / 2)
                .findFirst()
                .orElseThrow();
    }

    private static long orderingNanos() {
        long begin = THREADS.getCurrentThreadCpuTime();
        int size = IntStream.range(0, NAMES)
                .mapToObj(name -> "rule-" + name * 7_919L % NAMES)
                .collect(Collectors.toCollection(TreeSet::new))
                .size();
        return THREADS.getCurrentThreadCpuTime() - begin + NAMES - size;
    }
}
