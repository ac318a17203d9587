package io.ratelimit.benchmarks;

import java.util.Arrays;
import java.util.function.Function;

/** Counts the bytecodes of our own classes and of Guava's that a call of a path executes. */
final class CountedBytecodes {

    private static final String OURS = "io.ratelimit.";
    private static final String GUAVA = "com.google.common.";
    private static final String NOT_OF_A_DECISION = "io.ratelimit.benchmarks.";

    /** What is made once has been made by then. */
    private static final int FIRST_CALLS = 300;

    /** Odd, and more than it takes a map of Guava's to tidy up, which it does at every 64th look. */
    private static final int CALLS = 101;

    private final CountingClassLoader loader = new CountingClassLoader(
            name -> name.startsWith(OURS) || name.startsWith(GUAVA), name -> !name.startsWith(NOT_OF_A_DECISION));

    /** The median of the calls, which all but a few of them take exactly. */
    long of(GuardedPath path) throws Exception {
        long[] counts = eachOf(path);
        Arrays.sort(counts);
        return counts[CALLS / 2];
    }

    long[] eachOf(GuardedPath path) throws Exception {
        Runnable running = start(path);
        try (AutoCloseable engine = (AutoCloseable) running) {
            for (int i = 0; i < FIRST_CALLS; i++) {
                running.run();
            }
            long[] counts = new long[CALLS];
            for (int i = 0; i < CALLS; i++) {
                counts[i] = ExecutedBytecodes.during(running);
            }
            return counts;
        }
    }

    @SuppressWarnings("unchecked")
    private Runnable start(GuardedPath path) throws ReflectiveOperationException {
        Object starts =
                loader.loadClass(PathsByName.class.getName()).getConstructor().newInstance();
        return ((Function<String, Runnable>) starts).apply(path.name());
    }
}
