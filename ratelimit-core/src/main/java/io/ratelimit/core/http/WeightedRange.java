package io.ratelimit.core.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One range of {@code Accept} or {@code Accept-Language} with its weight (RFC 9110 section 12.4.2).
 *
 * @param range the range in lower case, without parameters
 * @param weight from 0, which is not acceptable, to 1
 */
record WeightedRange(String range, double weight) {

    /** More than any client sends that means it; the rest is not looked at. */
    private static final int MOST = 64;

    /** The ranges of all lines, in order; those that are empty are left out. */
    static List<WeightedRange> parse(List<String> lines) {
        List<WeightedRange> ranges = new ArrayList<>();
        for (String item : String.join(",", lines).toLowerCase(Locale.ROOT).split(",", -1)) {
            String[] parts = item.split(";", -1);
            if (!parts[0].isBlank() && ranges.size() < MOST) {
                ranges.add(new WeightedRange(parts[0].strip(), weight(parts)));
            }
        }
        return ranges;
    }

    private static double weight(String[] parts) {
        for (int i = 1; i < parts.length; i++) {
            String parameter = parts[i].strip();
            if (parameter.startsWith("q=")) {
                return parse(parameter.substring(2));
            }
        }
        return 1;
    }

    /** A weight that is none is read as 1, as if it were not there. */
    private static double parse(String text) {
        return text.matches("0(\\.[0-9]{0,3})?") ? Double.parseDouble(text) : 1;
    }
}
