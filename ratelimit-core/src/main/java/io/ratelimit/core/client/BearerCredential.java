package io.ratelimit.core.client;

import io.ratelimit.RequestContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The credential of {@code Authorization: Bearer}: the scheme in any letter case, any number of spaces (RFC 9110 section
 * 11.1), then one credential without spaces. Of several lines the first that holds one counts.
 */
final class BearerCredential implements ClientValue {

    private static final String SCHEME = "Bearer";

    @Override
    public @Nullable String read(RequestContext context) {
        List<String> lines = context.headers("Authorization");
        for (int i = 0; i < lines.size(); i++) {
            String credential = credential(lines.get(i));
            if (credential != null) {
                return credential;
            }
        }
        return null;
    }

    private static @Nullable String credential(String line) {
        int start = skipSpace(line, 0);
        if (!line.regionMatches(true, start, SCHEME, 0, SCHEME.length())) {
            return null;
        }
        int schemeEnd = start + SCHEME.length();
        int first = skipSpace(line, schemeEnd);
        int end = skipText(line, first);
        boolean separated = first > schemeEnd;
        boolean alone = skipSpace(line, end) == line.length();
        return separated && alone && end > first ? line.substring(first, end) : null;
    }

    private static int skipSpace(String line, int from) {
        int at = from;
        while (at < line.length() && Character.isWhitespace(line.charAt(at))) {
            at++;
        }
        return at;
    }

    private static int skipText(String line, int from) {
        int at = from;
        while (at < line.length() && !Character.isWhitespace(line.charAt(at))) {
            at++;
        }
        return at;
    }
}
