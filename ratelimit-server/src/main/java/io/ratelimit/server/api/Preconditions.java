package io.ratelimit.server.api;

import io.ratelimit.server.rules.Expectation;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.HttpHeaders;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a writer says that it has seen (RFC 9110, section 13.1): {@code If-Match}, or {@code If-None-Match: *}. */
final class Preconditions {

    private static final String ANY = "*";
    private static final Pattern STRONG_TAG = Pattern.compile("\"([\\x21\\x23-\\x7E]*)\"");

    private Preconditions() {}

    /**
     * Reads the precondition of a request that changes rules.
     *
     * @throws WebApplicationException if there is none: what nobody has looked at must not be overwritten by accident
     *     (RFC 6585, section 3)
     * @throws IllegalArgumentException if it is not one that can be held
     */
    static Expectation of(HttpHeaders headers) {
        String ifMatch = headers.getHeaderString(HttpHeaders.IF_MATCH);
        String ifNoneMatch = headers.getHeaderString(HttpHeaders.IF_NONE_MATCH);
        if (ifMatch == null && ifNoneMatch == null) {
            throw new WebApplicationException(Problem.of(
                            428,
                            "precondition-required",
                            "say what you have seen: If-Match with the ETag of the rules that you change,"
                                    + " If-None-Match: * for the first ones of a service, or If-Match: * to overwrite"
                                    + " whatever is there")
                    .toResponse());
        }
        return ifMatch == null ? nothing(ifNoneMatch) : match(ifMatch);
    }

    private static Expectation nothing(@Nullable String ifNoneMatch) {
        if (!ANY.equals(ifNoneMatch)) {
            throw new IllegalArgumentException("If-None-Match must be * where rules are published, for the first ones");
        }
        return new Expectation.Nothing();
    }

    private static Expectation match(String ifMatch) {
        if (ifMatch.equals(ANY)) {
            return new Expectation.Anything();
        }
        Matcher tag = STRONG_TAG.matcher(ifMatch.strip());
        if (!tag.matches()) {
            throw new IllegalArgumentException(
                    "If-Match must be * or one ETag as it was sent, such as \"17-3fb2c1d0\"");
        }
        return new Expectation.Tag(tag.group(1));
    }
}
