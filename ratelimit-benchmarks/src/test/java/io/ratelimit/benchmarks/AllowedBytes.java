package io.ratelimit.benchmarks;

/**
 * The most bytes that a path may allocate for a call: what it takes today, and a tenth more where it takes any, since the
 * compiler does not spare the same objects in every run. A path that comes to take less gets a lower figure here.
 */
final class AllowedBytes {

    private AllowedBytes() {}

    static long of(GuardedPath path) {
        return switch (path) {
            case ONE_LIMIT_ADMITTED -> 2_300;
            case ONE_LIMIT_REFUSED -> 1_800;
            case TWO_LIMITS_ADMITTED -> 3_100;
            case TWO_LIMITS_REFUSED -> 2_500;
            case ONE_LIMIT_READ -> 2_100;
            case TWO_LIMITS_READ -> 2_900;
            case TWO_LIMITS_REFUSED_READ -> 2_700;
            case BY_HEADER -> 2_000;
            case TEN_THOUSAND_RULES -> 2_300;
            case PERMITS_ADMITTED -> 0;
            case PERMITS_REFUSED -> 0;
            case STORE_ADMITTED -> 300;
            case STORE_REFUSED -> 200;
        };
    }
}
