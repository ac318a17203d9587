package io.ratelimit.server.envoy.descriptor;

import io.ratelimit.rules.Limit;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The unit of time of a limit. */
public enum LimitUnit {
    /** One second. */
    SECOND(Duration.ofSeconds(1)),
    /** One minute. */
    MINUTE(Duration.ofMinutes(1)),
    /** One hour. */
    HOUR(Duration.ofHours(1)),
    /** 24 hours. */
    DAY(Duration.ofDays(1)),
    /** 7 days. */
    WEEK(Duration.ofDays(7)),
    /** 30 days. */
    MONTH(Duration.ofDays(30)),
    /** 365 days. */
    YEAR(Duration.ofDays(365));

    /** So many requests can be counted one by one in any unit: 2^61 divided by the milliseconds of a year are more. */
    private static final long MOST_EXACT = 70_000_000;

    private static final long MILLION = 1_000_000;

    private final Duration length;

    LimitUnit(Duration length) {
        this.length = length;
    }

    /**
     * How long the unit is.
     *
     * @return the time, positive
     */
    public Duration length() {
        return length;
    }

    /**
     * A token bucket of so many requests in a unit. More than 70 million are rounded down to whole millions, by less
     * than one in seventy, because a year of them is beyond exact arithmetic.
     *
     * @param requests how many requests, at least 0
     * @return the limit; for 0 requests one that refuses always
     */
    public Limit limit(long requests) {
        if (requests == 0) {
            return Limit.BLOCKED;
        }
        return Limit.of(requests > MOST_EXACT ? requests - requests % MILLION : requests, length);
    }

    /**
     * The unit of a period.
     *
     * @param period any period
     * @return the unit that is as long; empty where there is none
     */
    public static Optional<LimitUnit> of(Duration period) {
        return Arrays.stream(values())
                .filter(unit -> unit.length.equals(period))
                .findFirst();
    }

    /** The unit of a word, in any letter case as in the reference. */
    static Optional<LimitUnit> of(String word) {
        return Arrays.stream(values())
                .filter(unit -> unit.word().equals(word.toLowerCase(Locale.ROOT)))
                .findFirst();
    }

    /** All words, as messages list them. */
    static List<String> words() {
        return Arrays.stream(values()).map(LimitUnit::word).toList();
    }

    private String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
