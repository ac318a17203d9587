package io.ratelimit.core;

import java.util.List;
import java.util.stream.Stream;

/**
 * How things stand with a limiter. A host whose limiter is degraded still serves: it decides by older rules, alone, or
 * not at all, as the reasons say. Immutable.
 *
 * @param status the short of it
 * @param reasons what is wrong, a sentence for each; empty if nothing is
 */
public record Health(Status status, List<String> reasons) {

    /** The short of it. */
    public enum Status {
        /** All is as it should be. */
        UP,
        /** Limits are not kept as the rules say. */
        DEGRADED
    }

    /** Copies the reasons. */
    public Health {
        reasons = List.copyOf(reasons);
    }

    /**
     * The same, with what is wrong besides.
     *
     * @param more a sentence for each; may be empty
     * @return how things stand in all
     */
    public Health with(List<String> more) {
        return of(Stream.concat(reasons.stream(), more.stream()).toList());
    }

    static Health of(List<String> reasons) {
        return new Health(reasons.isEmpty() ? Status.UP : Status.DEGRADED, reasons);
    }
}
