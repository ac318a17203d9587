package io.ratelimit.core.client;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** Reads one element of the {@code Forwarded} header (RFC 7239 section 4): what one proxy says of its peer. */
final class ForwardedElement {

    private ForwardedElement() {}

    /**
     * Finds the address in the {@code for} parameter.
     *
     * @param element pairs such as {@code for="[2001:db8::1]:4711";proto=https}; names in any case
     * @return the address; null where the element names none, hides it ({@code unknown}, {@code _hidden}), names two or
     *     cannot be read
     */
    static @Nullable InetAddress client(String element) {
        String node = null;
        int start = 0;
        while (start < element.length()) {
            int end = endOfPair(element, start);
            int equals = element.indexOf('=', start);
            if (equals >= 0
                    && equals < end
                    && element.substring(start, equals).trim().equalsIgnoreCase("for")) {
                if (node != null) {
                    return null;
                }
                node = element.substring(equals + 1, end).trim();
            }
            start = end + 1;
        }
        String address = node == null ? null : unquoted(node);
        return address == null ? null : AddressLiteral.parse(address);
    }

    private static int endOfPair(String element, int start) {
        boolean quoted = false;
        for (int i = start; i < element.length(); i++) {
            char c = element.charAt(i);
            if (c == ';' && !quoted) {
                return i;
            }
            if (c == '"') {
                quoted = !quoted;
            } else if (c == '\\' && quoted) {
                i++;
            }
        }
        return element.length();
    }

    /** The content of a quoted string (RFC 9110 section 5.6.4), or the text itself; null for a quote out of place. */
    private static @Nullable String unquoted(String text) {
        if (!text.startsWith("\"")) {
            return text;
        }
        int last = text.length() - 1;
        if (last == 0 || text.charAt(last) != '"') {
            return null;
        }
        StringBuilder content = new StringBuilder(last);
        for (int i = 1; i < last; i++) {
            char c = text.charAt(i);
            if (c == '\\') {
                i++;
                c = text.charAt(i);
            } else if (c == '"') {
                return null;
            }
            content.append(c);
        }
        return content.toString();
    }
}
