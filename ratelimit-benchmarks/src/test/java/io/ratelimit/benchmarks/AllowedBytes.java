package io.ratelimit.benchmarks;

/** The most bytes that a path may allocate for a call: what it takes today, rounded up. */
final class AllowedBytes {

    private AllowedBytes() {}

    static long of(GuardedPath path) {
        return switch (path) {
            case ONE_LIMIT_ADMITTED -> 1_800;
            case ONE_LIMIT_REFUSED -> 1_800;
            case TWO_LIMITS_ADMITTED -> 2_600;
            case TWO_LIMITS_REFUSED -> 2_600;
            case ONE_LIMIT_READ -> 2_000;
            case TWO_LIMITS_READ -> 2_800;
            case TWO_LIMITS_REFUSED_READ -> 2_800;
            case BY_HEADER -> 1_900;
            case TEN_THOUSAND_RULES -> 1_900;
            case PERMITS_ADMITTED -> 0;
            case PERMITS_REFUSED -> 0;
            case STORE_ADMITTED -> 300;
            case STORE_REFUSED -> 200;
        };
    }
}
