package io.ratelimit.core.bucket;

import io.ratelimit.LimitState;
import io.ratelimit.core.algorithm.Moment;
import io.ratelimit.rules.Limit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * From one spec of a bucket to another: which limit continues which.
 *
 * @param from the spec that states were made under
 * @param to the spec that they are wanted under
 */
record SpecChange(CompiledSpec from, CompiledSpec to) {

    /**
     * The states that continue those of the first spec. A limit continues the same one; or else the one of its period
     * and algorithm, or only of its period, of which most was used; a limit without such a predecessor starts full.
     */
    long[][] carryOver(long[][] states, Moment now) {
        long[][] carried = to.full(now);
        for (int i = 0; i < carried.length; i++) {
            Limit limit = to.limits().get(i);
            int same = from.limits().indexOf(limit);
            if (same >= 0) {
                carried[i] = states[same];
                continue;
            }
            boolean paired = from.limits().stream().anyMatch(limit::pairsWith);
            for (int j = 0; j < states.length; j++) {
                Limit earlier = from.limits().get(j);
                if (paired ? limit.pairsWith(earlier) : limit.period().equals(earlier.period())) {
                    long[] candidate = to.algorithm(i).carryOver(from.algorithm(j), states[j], now);
                    carried[i] = to.algorithm(i).tighter(candidate, carried[i], now);
                }
            }
        }
        return carried;
    }

    /**
     * What the first spec says, for whoever asked by the other: the state of the limit of the same period; a wait of a
     * limit that was not asked for stands at the first.
     */
    List<LimitState> translate(List<LimitState> states) {
        if (hasSamePeriods()) {
            return states;
        }
        List<LimitState> translated = new ArrayList<>(to.limits().size());
        for (Limit limit : to.limits()) {
            LimitState state = new LimitState(limit.capacity(), 0, 0);
            for (int j = 0; j < states.size(); j++) {
                if (limit.period().equals(from.limits().get(j).period())) {
                    state = states.get(j);
                }
            }
            translated.add(state);
        }
        boolean refusalIsShown = translated.stream().anyMatch(state -> !state.admits());
        if (!refusalIsShown) {
            states.stream()
                    .filter(state -> !state.admits())
                    .findFirst()
                    .ifPresent(refusing -> translated.set(0, refusing));
        }
        return translated;
    }

    private boolean hasSamePeriods() {
        return periods(from).equals(periods(to));
    }

    private static List<Duration> periods(CompiledSpec spec) {
        return spec.limits().stream().map(Limit::period).toList();
    }
}
