package io.ratelimit.core.retrieve;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How things stand with a host's rules; immutable.
 *
 * @param origin where the rules in force come from
 * @param version the version of the rules in force; {@link Long#MIN_VALUE} where there are none
 * @param versionName what people call that version, such as {@code 17}; null where the source names none
 * @param since since when they are in force, or null where there are none
 * @param error what is wrong now: why the source cannot be read, or else why its rules are refused; null if nothing is
 * @param failures how often in a row the source could not be read; 0 while it can
 * @param errors the mistakes of the rules that {@code error} says are refused, in the document's order, at most 10;
 *     empty where it says something else
 * @param push whether the source tells this host of changes itself, beside being asked
 */
public record RulesStatus(
        Origin origin,
        long version,
        @Nullable String versionName,
        @Nullable Instant since,
        @Nullable String error,
        int failures,
        List<String> errors,
        Push push) {

    static final RulesStatus NONE =
            new RulesStatus(Origin.NONE, Long.MIN_VALUE, null, null, null, 0, List.of(), Push.NONE);

    private static final int MOST_ERRORS = 10;

    /** Keeps the first mistakes only: rules may have very many. */
    public RulesStatus {
        errors = errors.stream().limit(MOST_ERRORS).toList();
    }

    /** Where rules in force come from. */
    public enum Origin {
        /** There are none: every request passes. */
        NONE,
        /** The source gave them, or confirmed them. */
        SOURCE,
        /** They were kept on disk from an earlier run, and the source has not confirmed them yet. */
        LAST_GOOD_FILE
    }

    /** How a source tells of changes. */
    public enum Push {
        /** It does not, or is not asked to. */
        NONE,
        /** It does. */
        CONNECTED,
        /** It could, but cannot be listened to now: changes are found when it is asked. */
        LOST
    }

    /**
     * Whether the host has rules and may serve.
     *
     * @return true once rules were accepted, from the source or the last good file; it stays true
     */
    public boolean ready() {
        return origin != Origin.NONE;
    }

    /**
     * The version for people: its name, if it has one, before its number.
     *
     * @return such as {@code 17 (1793524801123)} or {@code 1793524801123}
     */
    public String versionText() {
        return versionName == null ? Long.toString(version) : OneLine.of(versionName) + " (" + version + ")";
    }

    RulesStatus with(Origin newOrigin, int newFailures, Trouble trouble) {
        return new RulesStatus(
                newOrigin, version, versionName, since, trouble.error(), newFailures, trouble.errors(), push);
    }

    RulesStatus with(Push now) {
        return now == push ? this : new RulesStatus(origin, version, versionName, since, error, failures, errors, now);
    }

    /** What is wrong now. */
    Trouble trouble() {
        return new Trouble(error, errors);
    }
}
