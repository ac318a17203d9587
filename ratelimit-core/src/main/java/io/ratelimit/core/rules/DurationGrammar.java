package io.ratelimit.core.rules;

import io.ratelimit.rules.Limit;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The spelling of durations: a whole number and a unit, such as {@code 15m}, {@code 15 minutes} or {@code 20ms}, or an
 * ISO 8601 duration, such as {@code PT15M} or {@code P1D}.
 *
 * <p>The units are {@code ms}, {@code s}, {@code m}, {@code h}, {@code d}, {@code w}, {@code mo} and {@code y}, and
 * their English names in the singular and the plural. A day has 24 hours, a month 30 days, a year 365. Letters count:
 * units are in lower case, the letters of ISO 8601 in upper case.
 *
 * <p>Has no state; any number of threads may share one.
 */
public final class DurationGrammar {

    private static final Pattern AMOUNT = Pattern.compile("([0-9]+)\\s*([A-Za-z]+)");
    private static final Pattern NUMBER_ONLY = Pattern.compile("[0-9]+");
    private static final Pattern FRACTION = Pattern.compile("[0-9]*[.,][0-9]+\\s*[A-Za-z]*");
    private static final Pattern ISO =
            Pattern.compile("P(?=[0-9T])(?:([0-9]+)Y)?(?:([0-9]+)M)?(?:([0-9]+)W)?(?:([0-9]+)D)?"
                    + "(?:T(?=[0-9])(?:([0-9]+)H)?(?:([0-9]+)M)?(?:([0-9]+)(?:\\.([0-9]{1,9}))?S)?)?");
    private static final TimeUnitWord[] ISO_UNITS = {
        TimeUnitWord.YEAR,
        TimeUnitWord.MONTH,
        TimeUnitWord.WEEK,
        TimeUnitWord.DAY,
        TimeUnitWord.HOUR,
        TimeUnitWord.MINUTE,
        TimeUnitWord.SECOND
    };
    private static final int ISO_FRACTION = 8;

    /** Makes a grammar. */
    public DurationGrammar() {}

    /**
     * Reads a duration.
     *
     * @param text the duration; blanks around it do not count
     * @return the duration, between 0 and {@link Limit#LONGEST_PERIOD}
     * @throws IllegalArgumentException if the text is no duration, is negative or is too long; the message says what
     *     would be right
     */
    public Duration parse(String text) {
        String written = text.strip();
        try {
            Duration duration = written.startsWith("P") ? iso(written) : amount(written);
            if (duration.compareTo(Limit.LONGEST_PERIOD) <= 0) {
                return duration;
            }
        } catch (ArithmeticException | NumberFormatException tooLarge) {
            // Said below: what does not fit a long is far beyond the longest duration.
        }
        throw new IllegalArgumentException(Printable.quoted(text) + " is too long; a duration has at most "
                + Limit.LONGEST_PERIOD.toDays() + " days");
    }

    private static Duration amount(String text) {
        Matcher amount = AMOUNT.matcher(text);
        if (!amount.matches()) {
            throw new IllegalArgumentException(Printable.quoted(text) + complaint(text));
        }
        String word = amount.group(2);
        TimeUnitWord unit = TimeUnitWord.of(word)
                .orElseThrow(() -> new IllegalArgumentException(
                        Printable.quoted(text) + " has an unknown unit" + TimeUnitWord.choice(word)));
        return unit.duration().multipliedBy(Long.parseLong(amount.group(1)));
    }

    private static String complaint(String text) {
        if (NUMBER_ONLY.matcher(text).matches()) {
            String number = Printable.shortened(text, 20);
            return " has no unit; write for example " + number + "ms, " + number + "s or " + number + "m";
        }
        if (text.startsWith("-")) {
            return " is negative; a duration is a whole number and a unit, such as 15m";
        }
        if (FRACTION.matcher(text).matches()) {
            return " has a fraction; write a whole number of a smaller unit, such as 1500ms or 90m";
        }
        return " is no duration; write a whole number and a unit, such as 20ms, 15m, 1d or PT15M";
    }

    private static Duration iso(String text) {
        Matcher iso = ISO.matcher(text);
        if (!iso.matches()) {
            throw new IllegalArgumentException(
                    Printable.quoted(text) + " is no ISO 8601 duration; write for example PT15M, P1D or 15m");
        }
        Duration sum = Duration.ZERO;
        for (int i = 0; i < ISO_UNITS.length; i++) {
            sum = sum.plus(ISO_UNITS[i].duration().multipliedBy(number(iso.group(i + 1))));
        }
        return sum.plusNanos(nanos(iso.group(ISO_FRACTION)));
    }

    private static long number(@Nullable String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }

    private static long nanos(@Nullable String decimals) {
        return decimals == null ? 0 : Long.parseLong((decimals + "00000000").substring(0, 9));
    }
}
