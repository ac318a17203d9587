package io.ratelimit.server.traffic;

import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks what hosts say, and names the field that is wrong. */
final class Checks {

    /** The end of the year 9999, in milliseconds since the epoch. */
    static final long LATEST = 253_402_300_799_999L;

    /** So much is counted within no report; sums of very many such counts stay far from the end of a long. */
    static final long MOST_COUNTED = 1_000_000_000_000L;

    private Checks() {}

    /** A time that is missing is read as 0, and is none. */
    static void time(String field, long millis) {
        range(field, millis, 1, LATEST);
    }

    static void range(String field, @Nullable Number value, long least, long most) {
        if (value != null && (value.longValue() < least || value.longValue() > most)) {
            throw new IllegalArgumentException(
                    field + " is " + value + ": it must be between " + least + " and " + most);
        }
    }

    /** Texts of a record that is read from JSON may be missing, whatever their type says. */
    static void present(String field, @Nullable Object value) {
        if (value == null) {
            throw new IllegalArgumentException(field + " is missing");
        }
    }

    static void length(String field, @Nullable String text, int most) {
        if (text != null && text.length() > most) {
            throw new IllegalArgumentException(
                    field + " has " + text.length() + " characters: it must have at most " + most);
        }
    }

    static void size(String field, Collection<?> entries, int most) {
        size(field, entries.size(), most);
    }

    static void size(String field, Map<?, ?> entries, int most) {
        size(field, entries.size(), most);
    }

    private static void size(String field, int entries, int most) {
        if (entries > most) {
            throw new IllegalArgumentException(field + " has " + entries + " entries: it must have at most " + most);
        }
    }

    /** The beginning of a text, without half a character at its end. */
    static String cut(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        return text.substring(0, Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most);
    }
}
