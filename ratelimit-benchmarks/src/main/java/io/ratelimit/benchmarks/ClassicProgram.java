package io.ratelimit.benchmarks;

import io.ratelimit.Permits;
import io.ratelimit.core.permits.LocalPermits;
import io.ratelimit.rules.Limit;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The classic program: a bucket of 10,000 tokens that refills at 10,000 per second, and 500,000 acquisitions of one, each
 * of which waits for its token. The first 10,000 are there, the others take 49 seconds.
 */
public final class ClassicProgram {

    private static final long TOKENS = 10_000;
    private static final long ACQUISITIONS = 500_000;

    private ClassicProgram() {}

    /**
     * Runs.
     *
     * @param args none
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    public static void main(String[] args) throws InterruptedException {
        run(System.out);
    }

    private static void run(PrintStream out) throws InterruptedException {
        Permits permits = LocalPermits.of(Limit.of(TOKENS, Duration.ofSeconds(1)));
        long started = System.nanoTime();
        for (long i = 0; i < ACQUISITIONS; i++) {
            permits.acquire();
        }
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - started);
        out.printf("%,d acquisitions at %,d per second took %,d ms%n", ACQUISITIONS, TOKENS, millis);
    }
}
