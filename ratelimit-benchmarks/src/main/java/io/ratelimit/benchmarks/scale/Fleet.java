package io.ratelimit.benchmarks.scale;

/**
 * What a large service needs for its decisions, if each core makes as many as one that was measured, and does nothing
 * else. Immutable.
 *
 * @param perCore decisions of a core in a second
 */
record Fleet(double perCore) {

    /** 1,000,000 users with 15 requests a second each. */
    private static final double DECISIONS_PER_SECOND = 15e6;

    double cores() {
        return DECISIONS_PER_SECOND / perCore;
    }

    double hosts(int coresOfHost) {
        return Math.ceil(cores() / coresOfHost);
    }

    Row addTo(Row row) {
        return row.with(Figure.PER_CORE, perCore)
                .with(Figure.CORES, cores())
                .with(Figure.HOSTS_OF_8, hosts(8))
                .with(Figure.HOSTS_OF_32, hosts(32));
    }
}
