package io.ratelimit.core.http;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a query, read as {@code application/x-www-form-urlencoded} in UTF-8 (WHATWG URL, section 5.1). An
 * escape that is malformed is text, and bytes that are no UTF-8 are replacement characters.
 *
 * @param raw the query as it was sent, without its question mark; null where there is none
 */
public record QueryString(@Nullable String raw) {

    /**
     * The values of a parameter, in time linear in the query's length. All of the query is read, since the application
     * reads all of it: the server has bounded how long a query may be.
     *
     * @param name the parameter's name, decoded
     * @return the values in order, empty where there are none; a parameter without {@code =} has an empty one
     */
    public List<String> values(String name) {
        if (raw == null) {
            return List.of();
        }
        List<String> values = new ArrayList<>(1);
        int start = 0;
        while (start < raw.length()) {
            int ampersand = raw.indexOf('&', start);
            int end = ampersand < 0 ? raw.length() : ampersand;
            if (end > start) {
                addValue(raw.substring(start, end), name, values);
            }
            start = end + 1;
        }
        return values;
    }

    private static void addValue(String parameter, String name, List<String> values) {
        int equals = parameter.indexOf('=');
        int nameEnd = equals < 0 ? parameter.length() : equals;
        if (decoded(parameter.substring(0, nameEnd)).equals(name)) {
            values.add(equals < 0 ? "" : decoded(parameter.substring(equals + 1)));
        }
    }

    private static String decoded(String text) {
        return new EscapedText(text.replace('+', ' ')).decoded();
    }
}
