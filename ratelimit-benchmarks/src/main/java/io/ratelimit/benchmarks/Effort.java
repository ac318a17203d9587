package io.ratelimit.benchmarks;

import java.time.Duration;

/**
 * How long a run measures. Every round goes through all benchmarks anew, each in a process of its own, so that what the
 * machine does besides meets all of them alike.
 *
 * @param mostThreads from one thread to so many
 * @param rounds how many rounds
 * @param warmupIterations iterations that do not count, in each process; with two threads on two processors, the compiler
 *     needs them to come round to a whole decision
 * @param warmup how long each of them takes
 * @param iterations iterations that count
 * @param iteration how long each of them takes
 */
record Effort(int mostThreads, int rounds, int warmupIterations, Duration warmup, int iterations, Duration iteration) {

    /** About twelve minutes. */
    static final Effort FULL = new Effort(2, 2, 4, Duration.ofMillis(450), 3, Duration.ofMillis(350));

    /** About four minutes; good to see that everything runs, and differences of half or double. */
    static final Effort QUICK = new Effort(1, 1, 3, Duration.ofMillis(450), 3, Duration.ofMillis(150));

    @Override
    public String toString() {
        return rounds + " × (" + warmupIterations + " × " + warmup.toMillis() + " ms to warm up, " + iterations + " × "
                + iteration.toMillis() + " ms)";
    }
}
