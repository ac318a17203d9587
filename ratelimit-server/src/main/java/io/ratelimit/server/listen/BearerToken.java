package io.ratelimit.server.listen;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The token of {@code Authorization: Bearer} (RFC 6750 section 2.1). */
public final class BearerToken {

    private static final String SCHEME = "Bearer ";

    private BearerToken() {}

    /**
     * Reads the header fields of a request. Which of several would count is a guess, and none does.
     *
     * @param authorization the values of the fields
     * @return the token, or null where there is not exactly one field, of this kind
     */
    public static @Nullable String in(List<String> authorization) {
        return authorization.size() == 1 ? in(authorization.get(0)) : null;
    }

    /**
     * Reads a header field.
     *
     * @param authorization the field's value, or null where there is none
     * @return the token, or null where there is none of this kind
     */
    public static @Nullable String in(@Nullable String authorization) {
        return authorization != null && authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                ? authorization.substring(SCHEME.length()).strip()
                : null;
    }
}
