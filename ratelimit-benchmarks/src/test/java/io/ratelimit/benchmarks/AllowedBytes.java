package io.ratelimit.benchmarks;

import static io.ratelimit.benchmarks.GuardedPath.BY_HEADER;
import static io.ratelimit.benchmarks.GuardedPath.ONE_LIMIT_ADMITTED;
import static io.ratelimit.benchmarks.GuardedPath.ONE_LIMIT_READ;
import static io.ratelimit.benchmarks.GuardedPath.ONE_LIMIT_REFUSED;
import static io.ratelimit.benchmarks.GuardedPath.PERMITS_ADMITTED;
import static io.ratelimit.benchmarks.GuardedPath.PERMITS_REFUSED;
import static io.ratelimit.benchmarks.GuardedPath.STORE_ADMITTED;
import static io.ratelimit.benchmarks.GuardedPath.STORE_REFUSED;
import static io.ratelimit.benchmarks.GuardedPath.TABLE_ADMITTED;
import static io.ratelimit.benchmarks.GuardedPath.TABLE_REFUSED;
import static io.ratelimit.benchmarks.GuardedPath.TWO_LIMITS_ADMITTED;
import static io.ratelimit.benchmarks.GuardedPath.TWO_LIMITS_READ;
import static io.ratelimit.benchmarks.GuardedPath.TWO_LIMITS_REFUSED;
import static io.ratelimit.benchmarks.GuardedPath.TWO_LIMITS_REFUSED_READ;
import static java.util.Map.entry;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The most bytes that a path may allocate for a call: what it takes today, and a tenth more where it takes any, since
 * other compilers spare other objects. A path that comes to take less gets a lower figure here. That of 10,000 rules is
 * not here: it makes what the one of ten rules makes, and takes seconds to start.
 */
final class AllowedBytes {

    /** In an order, since what is compiled first has a say in how the rest is. */
    private static final Map<GuardedPath, Integer> ALLOWED = new TreeMap<>(Map.ofEntries(
            entry(ONE_LIMIT_ADMITTED, 0),
            entry(ONE_LIMIT_REFUSED, 0),
            entry(TWO_LIMITS_ADMITTED, 0),
            entry(TWO_LIMITS_REFUSED, 0),
            entry(ONE_LIMIT_READ, 200),
            entry(TWO_LIMITS_READ, 200),
            entry(TWO_LIMITS_REFUSED_READ, 200),
            entry(BY_HEADER, 200),
            entry(PERMITS_ADMITTED, 0),
            entry(PERMITS_REFUSED, 0),
            entry(TABLE_ADMITTED, 0),
            entry(TABLE_REFUSED, 0),
            entry(STORE_ADMITTED, 460),
            entry(STORE_REFUSED, 330)));

    private AllowedBytes() {}

    static Set<GuardedPath> paths() {
        return ALLOWED.keySet();
    }

    static int of(GuardedPath path) {
        return ALLOWED.get(path);
    }
}
