package io.ratelimit.core.retrieve;

import java.net.http.HttpHeaders;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a rules service says about the version it answers with: {@code RateLimit-Rules: 17;published=1793524801123}, an
 * item of structured fields (RFC 9651).
 *
 * @param name the version's number, as people call it
 * @param millis when it was published, in milliseconds of the epoch
 */
record PublishedVersion(String name, long millis) {

    /** Other parameters are left to later versions of the service. */
    private static final Pattern ITEM =
            Pattern.compile("([0-9]{1,15})(?: *;(?! *published=)[^;]*)*; *published=([0-9]{1,15})(?: *;[^;]*)*");

    /** Most services say nothing, and what cannot be read counts as nothing (RFC 9651, section 4.2). */
    static Optional<PublishedVersion> of(HttpHeaders headers) {
        return headers.firstValue("RateLimit-Rules")
                .map(value -> ITEM.matcher(value.strip()))
                .filter(Matcher::matches)
                .map(item -> new PublishedVersion(item.group(1), Long.parseLong(item.group(2))));
    }
}
