package io.ratelimit.benchmarks;

/**
 * How many bytecodes counted classes have executed on the thread that is counted. Static because the instructions that
 * {@link CountedMethod} adds can reach nothing else; public because they stand in classes of every package. Other threads
 * of an engine run counted classes too and add nothing.
 */
public final class ExecutedBytecodes {

    private static volatile Thread counted;
    private static long count;

    private ExecutedBytecodes() {}

    /**
     * Called by counted classes.
     *
     * @param bytecodes how many are executed in a row
     */
    public static void add(int bytecodes) {
        if (Thread.currentThread() == counted) {
            count += bytecodes;
        }
    }

    /** Counts what this thread executes during some work; for one thread at a time. */
    static long during(Runnable work) {
        count = 0;
        counted = Thread.currentThread();
        try {
            work.run();
        } finally {
            counted = null;
        }
        return count;
    }
}
