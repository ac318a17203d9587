package io.ratelimit.core.rules;

import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Gathers the limits of one rule, and tells those that may not stand beside the others. Limits are paired by period and
 * algorithm when rules change, so each pair may stand once. Used by one thread.
 */
public final class LimitsOfRule {

    /** What pairs a limit with its successor. */
    private record Pairing(Duration period, Algorithm algorithm) {}

    private final int written;
    private final Map<Pairing, String> places = new HashMap<>();
    private final List<Limit> limits = new ArrayList<>();

    /**
     * Begins without a limit.
     *
     * @param written how many limits the rule is written with, those that cannot be read included
     */
    public LimitsOfRule(int written) {
        this.written = written;
    }

    /**
     * Adds a limit, if it fits beside those before.
     *
     * @param limit the limit
     * @param place where it stands, for the message about a later one
     * @return why it does not fit and what to do about it; empty where it was added
     */
    public Optional<String> add(Limit limit, String place) {
        Optional<String> problem = problem(limit, place);
        if (problem.isEmpty()) {
            limits.add(limit);
        }
        return problem;
    }

    /**
     * The limits that were added.
     *
     * @return the limits, in order; unmodifiable
     */
    public List<Limit> limits() {
        return List.copyOf(limits);
    }

    private Optional<String> problem(Limit limit, String place) {
        if (limit.isBlocked()) {
            return written == 1
                    ? Optional.empty()
                    : Optional.of("a limit of 0 refuses every request; leave out the limits beside it, or leave out the"
                            + " 0");
        }
        String other = places.putIfAbsent(new Pairing(limit.period(), limit.algorithm()), place);
        return Optional.ofNullable(other)
                .map(taken -> "the limit " + Printable.quoted(limit.toString())
                        + " has the same period and algorithm as " + taken + "; keep one"
                        + (limit.algorithm() == Algorithm.CONCURRENCY ? "" : ", or give it another period"));
    }
}
