package io.ratelimit.server.envoy.descriptor;

import java.util.List;
import java.util.regex.Pattern;

/** A value with {@code *} in it, each of which stands for any number of characters. */
final class Wildcard {

    private static final Pattern STAR = Pattern.compile("*", Pattern.LITERAL);

    private final String first;
    private final List<String> between;
    private final String last;

    Wildcard(String value) {
        List<String> literals = List.of(STAR.split(value, -1));
        first = literals.get(0);
        between = literals.subList(1, literals.size() - 1);
        last = literals.get(literals.size() - 1);
    }

    static boolean isIn(String value) {
        return value.indexOf('*') >= 0;
    }

    /** The first place of each literal leaves the most room for those behind it, so that no other need be tried. */
    boolean matches(String value) {
        int end = value.length() - last.length();
        if (end < first.length() || !value.startsWith(first) || !value.endsWith(last)) {
            return false;
        }
        int from = first.length();
        for (String literal : between) {
            int found = value.indexOf(literal, from);
            if (found < 0 || found + literal.length() > end) {
                return false;
            }
            from = found + literal.length();
        }
        return true;
    }
}
