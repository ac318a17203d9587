package io.ratelimit.core.client;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The elements of a list header from the last to the first, over all its lines. Reading from the right meets what the
 * nearest hop wrote first, so that nothing a caller put before it, such as a quote that never closes, can change how it
 * is read. Looks at no more than it is asked for. For one thread.
 */
final class ElementsFromRight {

    /** In characters; an element of RFC 7239 with a host name and extensions stays far below. */
    private static final int LONGEST_ELEMENT = 1_024;

    private static final int MALFORMED = -1;
    private static final int LINE_DONE = -1;

    private final List<String> lines;
    private int line;
    private int end = LINE_DONE;

    /**
     * Starts behind the last element.
     *
     * @param lines the header's lines in order
     */
    ElementsFromRight(List<String> lines) {
        this.lines = lines;
        this.line = lines.size();
    }

    /**
     * Goes one element to the left.
     *
     * @return the element, empty where nothing stands between two commas; null where there is no further one, or where
     *     it is too long or a quote is open
     */
    @Nullable
    String next() {
        if (end == LINE_DONE) {
            if (line == 0) {
                return null;
            }
            line--;
            end = lines.get(line).length();
        }
        String text = lines.get(line);
        int start = startOfElement(text);
        if (start == MALFORMED) {
            return null;
        }
        String element = text.substring(start, end);
        end = start == 0 ? LINE_DONE : start - 1;
        return element;
    }

    private int startOfElement(String text) {
        int limit = Math.max(0, end - LONGEST_ELEMENT);
        boolean quoted = false;
        for (int i = end - 1; i >= limit; i--) {
            char c = text.charAt(i);
            if (c == ',' && !quoted) {
                return i + 1;
            }
            if (c == '"' && !isEscaped(text, i, limit)) {
                quoted = !quoted;
            }
        }
        return limit == 0 && !quoted ? 0 : MALFORMED;
    }

    private static boolean isEscaped(String text, int quote, int limit) {
        int first = quote;
        while (first > limit && text.charAt(first - 1) == '\\') {
            first--;
        }
        return (quote - first) % 2 == 1;
    }
}
