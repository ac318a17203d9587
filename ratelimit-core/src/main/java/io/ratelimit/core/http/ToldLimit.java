package io.ratelimit.core.http;

import com.google.common.collect.Comparators;
import io.ratelimit.Decision;
import io.ratelimit.LimitState;
import io.ratelimit.rules.Limit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A limit that a client may be told of.
 *
 * @param place its place among the limits that were asked
 * @param limit the limit
 * @param policy its name
 * @param state how the decision left it
 */
record ToldLimit(int place, Limit limit, String policy, LimitState state) {

    /** As {@link Decision#decidingLimit()} chooses: the longest wait, none that helps before all, then the fewest tokens. */
    private static final Comparator<ToldLimit> MOST_TELLING = Comparator.comparingLong(ToldLimit::waitNanos)
            .reversed()
            .thenComparingLong(told -> told.state().remaining())
            .thenComparingInt(ToldLimit::place);

    /** So many limits of a decision as most matter to the client, the one that decided first. */
    static List<ToldLimit> mostTelling(Decision decision, int most) {
        List<ToldLimit> all = new ArrayList<>();
        decision.forEachLimit((limit, policy, state) -> all.add(new ToldLimit(all.size(), limit, policy, state)));
        return all.stream().collect(Comparators.least(most, MOST_TELLING));
    }

    private long waitNanos() {
        return state.waitNanos() == LimitState.NEVER ? Long.MAX_VALUE : state.waitNanos();
    }
}
