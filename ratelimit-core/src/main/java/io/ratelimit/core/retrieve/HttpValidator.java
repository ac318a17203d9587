package io.ratelimit.core.retrieve;

import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/**
 * What a conditional request names the known content by (RFC 9110, section 8.8).
 *
 * @param header the request's header
 * @param value its value
 */
record HttpValidator(String header, String value) {

    /**
     * Finds the validator of an answer: its ETag, or its Last-Modified date if that is at least a second older than the
     * answer. A younger date may stand for two contents of the same second (RFC 9110, section 8.8.2.2).
     */
    static Optional<HttpValidator> of(HttpHeaders headers) {
        Optional<HttpValidator> etag =
                headers.firstValue("ETag").map(String::strip).flatMap(HttpValidator::etag);
        return etag.isPresent() ? etag : settledDate(headers);
    }

    /** Finds the validator in a document's tag, which is a validator's value or something else. */
    static Optional<HttpValidator> ofTag(String tag) {
        Optional<HttpValidator> etag = etag(tag);
        return etag.isPresent() ? etag : date(tag).map(date -> new HttpValidator("If-Modified-Since", tag));
    }

    static Optional<Instant> date(String value) {
        try {
            return Optional.of(DateTimeFormatter.RFC_1123_DATE_TIME.parse(value.strip(), Instant::from));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    static Optional<HttpValidator> etag(String value) {
        return value.matches("(W/)?\"[\\x21\\x23-\\x7E]*\"")
                ? Optional.of(new HttpValidator("If-None-Match", value))
                : Optional.empty();
    }

    private static Optional<HttpValidator> settledDate(HttpHeaders headers) {
        Optional<Instant> answered = headers.firstValue("Date").flatMap(HttpValidator::date);
        return headers.firstValue("Last-Modified")
                .map(String::strip)
                .filter(value -> date(value)
                        .flatMap(modified -> answered.map(now -> now.isAfter(modified)))
                        .orElse(false))
                .map(value -> new HttpValidator("If-Modified-Since", value));
    }
}
