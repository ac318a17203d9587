package io.ratelimit.server.traffic;

import java.util.List;

/**
 * What rules have decided, slot by slot, on one axis of time.
 *
 * @param resolution the length of the slots
 * @param times when the slots begin, in milliseconds since the epoch, without gaps; the last one is not over yet
 * @param next what to ask for next: slots from here on may still grow, since hosts report with a delay
 * @param rules the counts of each rule
 */
public record ActivitySeries(Resolution resolution, List<Long> times, long next, List<RuleSeries> rules) {

    /**
     * What one rule has decided. Each list has as many entries as there are times, zeros where nothing was decided.
     *
     * @param rule the rule's name, or {@link Activity#OTHER_RULES}
     * @param allowed how many requests it let pass
     * @param refused how many it refused
     * @param shadow how many it would have refused as a shadow rule
     */
    public record RuleSeries(String rule, List<Long> allowed, List<Long> refused, List<Long> shadow) {

        /** Copies the lists. */
        public RuleSeries {
            allowed = List.copyOf(allowed);
            refused = List.copyOf(refused);
            shadow = List.copyOf(shadow);
        }
    }

    /** Copies the lists. */
    public ActivitySeries {
        times = List.copyOf(times);
        rules = List.copyOf(rules);
    }
}
