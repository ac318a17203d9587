package io.ratelimit.core.rules;

import io.ratelimit.core.algorithm.LimitAlgorithm;
import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The spelling of limits: {@code N/unit} or {@code N per DURATION}, each with an optional {@code burst N}, such as
 * {@code 20/s}, {@code 20/second burst 40}, {@code 5 per 15m}, {@code 5 per PT15M} or {@code 1 per day}; {@code 0}
 * refuses always. Durations and units are those of {@link DurationGrammar}.
 *
 * <p>The burst is the capacity: how many tokens a client can have saved, and so spend at once. Without it, that is what
 * refills in one period; it may be less. All numbers are whole.
 *
 * <p>Has no state; any number of threads may share one.
 */
public final class LimitGrammar {

    private static final Pattern RATE = Pattern.compile(
            "(?<tokens>[^\\s/]+)(?:\\s*/\\s*(?<unit>[^\\s/]+)|\\s+per\\s+(?<period>\\S+(?:\\s[A-Za-z]+)?))"
                    + "(?:\\s+burst\\s+(?<burst>\\S+))?");
    private static final Pattern BLANKS = Pattern.compile("\\s+");
    private static final Pattern WHOLE_NUMBER = Pattern.compile("[0-9]+");
    private static final Pattern GROUPED_NUMBER = Pattern.compile("[0-9]{1,3}(?:[,_'][0-9]{3})+");
    private static final Pattern OTHER_NUMBER = Pattern.compile("[-+]?[0-9]*[.,]?[0-9]+(?:[eE][-+]?[0-9]+)?");
    private static final String EXAMPLES = "write for example 20/s, 20/s burst 40, 5 per 15m, or 0 to refuse always";

    private final DurationGrammar durations = new DurationGrammar();

    /** Makes a grammar. */
    public LimitGrammar() {}

    /**
     * Reads a limit.
     *
     * @param text the limit; blanks around it do not count
     * @return the limit; {@link Limit#BLOCKED} for a rate of 0, whatever its period
     * @throws IllegalArgumentException if the text is no limit or a number is out of its range; the message says what
     *     would be right
     */
    public Limit parse(String text) {
        String written = BLANKS.matcher(text.strip()).replaceAll(" ");
        if (written.equals("0")) {
            return Limit.BLOCKED;
        }
        Matcher rate = RATE.matcher(written);
        if (!rate.matches()) {
            throw new IllegalArgumentException(Printable.quoted(text) + complaint(written));
        }
        try {
            return limit(rate);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(Printable.quoted(text) + ": " + e.getMessage(), e);
        }
    }

    /** Reads what stands behind {@code per}: a duration, or a unit alone. */
    Duration period(String text) {
        Duration period =
                TimeUnitWord.of(text.strip()).map(TimeUnitWord::duration).orElseGet(() -> durations.parse(text));
        if (period.isZero()) {
            throw new IllegalArgumentException("a period is longer than 0, such as 1s; " + Printable.quoted(text)
                    + " is not (a limit of 0 tokens refuses always)");
        }
        return period;
    }

    /**
     * Makes a limit of its parts.
     *
     * @param burst the capacity; null for what refills in one period
     * @throws IllegalArgumentException if a part is out of its range, or the limit cannot be counted exactly
     */
    static Limit limit(long tokens, Duration period, @Nullable Long burst, Algorithm algorithm) {
        if (tokens == 0) {
            if (burst != null) {
                throw new IllegalArgumentException("a limit of 0 refuses always and takes no burst; leave it out");
            }
            return Limit.BLOCKED;
        }
        Limit limit = new Limit(tokens, period, burst == null ? tokens : burst, algorithm);
        checkCountable(limit);
        return limit;
    }

    /** Asked here, where the line is known, rather than when the first client comes. */
    private static void checkCountable(Limit limit) {
        LimitAlgorithm.of(limit);
    }

    private Limit limit(Matcher rate) {
        long tokens = wholeNumber("the number of tokens", rate.group("tokens"));
        String unit = rate.group("unit");
        Duration period = unit == null ? period(rate.group("period")) : unit(unit);
        String burst = rate.group("burst");
        return limit(tokens, period, burst == null ? null : wholeNumber("the burst", burst), Algorithm.TOKEN_BUCKET);
    }

    private static Duration unit(String word) {
        Optional<TimeUnitWord> unit = TimeUnitWord.of(word);
        if (unit.isPresent()) {
            return unit.get().duration();
        }
        if (Character.isDigit(word.charAt(0)) || word.startsWith("P")) {
            throw new IllegalArgumentException("behind '/' stands a unit alone; write 'per " + cut(word) + "'");
        }
        throw new IllegalArgumentException(
                "the unit " + Printable.quoted(word) + " is unknown" + TimeUnitWord.choice(word));
    }

    private static long wholeNumber(String what, String text) {
        if (GROUPED_NUMBER.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    what + " is written without separators: " + cut(text.replaceAll("[^0-9]", "")));
        }
        if (!WHOLE_NUMBER.matcher(text).matches()) {
            throw new IllegalArgumentException(what + " is a whole number in plain digits, such as 20, not "
                    + Printable.quoted(text) + "; a slower rate has a longer period, such as 1 per 10s");
        }
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException tooLarge) {
            throw new IllegalArgumentException(what + " is at most " + Limit.MOST_TOKENS, tooLarge);
        }
    }

    private static String complaint(String text) {
        if (text.equals("unlimited")) {
            return " stands alone: in a rules file, without other limits beside it; in an annotation it has no place";
        }
        if (text.startsWith("-")) {
            return " is negative; " + EXAMPLES;
        }
        if (WHOLE_NUMBER.matcher(text).matches()) {
            return " has no period; write for example " + cut(text) + "/s, " + cut(text) + "/m or " + cut(text)
                    + " per 15m";
        }
        if (OTHER_NUMBER.matcher(text).matches()) {
            return " is no whole number in plain digits and has no period; " + EXAMPLES
                    + "; a slower rate has a longer period, such as 1 per 10s";
        }
        return " is no limit; " + EXAMPLES;
    }

    private static String cut(String text) {
        return Printable.shortened(text, 20);
    }
}
