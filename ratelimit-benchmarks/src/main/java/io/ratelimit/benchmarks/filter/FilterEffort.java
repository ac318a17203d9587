package io.ratelimit.benchmarks.filter;

/**
 * How long filters are measured. Each process of a container compiles a little differently, and so all is measured in
 * several.
 *
 * @param processes how many servers, one after the other, of each container
 * @param warmupRounds rounds that do not count, in each of them
 * @param rounds rounds that count
 * @param requests how many requests each variant answers in a round
 */
public record FilterEffort(int processes, int warmupRounds, int rounds, int requests) {

    /** Less than three minutes. */
    public static final FilterEffort FULL = new FilterEffort(3, 15, 25, 4_000);

    /** About half a minute. */
    public static final FilterEffort QUICK = new FilterEffort(1, 12, 18, 4_000);

    @Override
    public String toString() {
        return processes + " × (" + warmupRounds + " rounds to warm up, " + rounds + " rounds) of " + requests
                + " requests";
    }
}
