package io.ratelimit.benchmarks;

import java.util.Locale;

/**
 * Whether a budget is met.
 *
 * @param subject what the budget is for: a benchmark or a table
 * @param place where it was measured, such as a group and a number of threads
 * @param figure what was measured
 * @param most what the budget allows
 * @param unit what both count, such as {@code × gcra}
 */
public record Verdict(String subject, String place, double figure, double most, String unit) {

    /**
     * Whether what was measured is within the budget.
     *
     * @return true if it is
     */
    public boolean met() {
        return figure <= most;
    }

    /**
     * The budget in words.
     *
     * @return such as {@code ≤ 28 bytes}
     */
    public String budget() {
        return "≤ " + trimmed(most) + " " + unit;
    }

    /**
     * The verdict in words.
     *
     * @return {@code met} or {@code not met}
     */
    public String outcome() {
        return met() ? "met" : "**not met**";
    }

    /**
     * What was measured.
     *
     * @return a number
     */
    public String measured() {
        return trimmed(figure);
    }

    /** Two decimals where they say something. */
    private static String trimmed(double number) {
        String text = String.format(Locale.ROOT, number < 100 ? "%.2f" : "%.0f", number);
        return text.contains(".") ? text.replaceAll("\\.?0+$", "") : text;
    }
}
