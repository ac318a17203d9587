package io.ratelimit.core.http;

import java.util.List;
import java.util.Locale;

/**
 * Chooses between the two forms of a refusal's body by {@code Accept} (RFC 9110 section 12.5.1): of the ranges that
 * cover a form the most specific counts, and the form with the greater quality wins. Problem details are JSON, so that
 * a client that accepts JSON accepts them. They also win a tie, and where neither form is acceptable.
 */
final class AcceptedType {

    private static final List<String> PROBLEM =
            List.of("application/problem+json", "application/json", "application/*", "*/*");
    private static final List<String> TEXT = List.of("text/plain", "text/*", "*/*");

    private AcceptedType() {}

    static boolean prefersText(List<String> acceptLines) {
        if (acceptLines.isEmpty()) {
            return false;
        }
        String[] ranges = String.join(",", acceptLines).toLowerCase(Locale.ROOT).split(",");
        return quality(ranges, TEXT) > quality(ranges, PROBLEM);
    }

    private static double quality(String[] ranges, List<String> covering) {
        for (String type : covering) {
            for (String range : ranges) {
                String[] parts = range.split(";", -1);
                if (parts[0].strip().equals(type)) {
                    return quality(parts);
                }
            }
        }
        return 0;
    }

    private static double quality(String[] parts) {
        for (int i = 1; i < parts.length; i++) {
            String parameter = parts[i].strip();
            if (parameter.startsWith("q=")) {
                return parse(parameter.substring(2));
            }
        }
        return 1;
    }

    /** A quality that is none is read as 1, as if it were not there. */
    private static double parse(String text) {
        return text.matches("0(\\.[0-9]{0,3})?") ? Double.parseDouble(text) : 1;
    }
}
