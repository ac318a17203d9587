package io.ratelimit.client.http;

import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * How long a server wants to be left alone: by {@code Retry-After} in both its forms (RFC 9110, section 10.2.3), or else by
 * the limits in {@code RateLimit} (draft-ietf-httpapi-ratelimit-headers) that have nothing left.
 */
final class StatedWait {

    private static final Pattern SECONDS = Pattern.compile("\\d{1,9}");
    private static final Pattern REMAINING = Pattern.compile(";\\s*r=(\\d{1,15})");
    private static final Pattern RESET = Pattern.compile(";\\s*t=(\\d{1,9})");

    private StatedWait() {}

    /**
     * Reads an answer's header.
     *
     * @param headers the header
     * @param now the time here, for a date where the server does not tell the time there
     * @return the wait, at least 0; empty where the server says nothing that can be read
     */
    static Optional<Duration> of(HttpHeaders headers, Instant now) {
        Optional<Duration> retryAfter =
                headers.firstValue("Retry-After").flatMap(value -> retryAfter(value.strip(), headers, now));
        return retryAfter.isPresent() ? retryAfter : exhausted(headers);
    }

    private static Optional<Duration> retryAfter(String value, HttpHeaders headers, Instant now) {
        if (SECONDS.matcher(value).matches()) {
            return Optional.of(Duration.ofSeconds(Long.parseLong(value)));
        }
        // By the server's own clock, where it has one: ours may be wrong.
        Instant sent = headers.firstValue("Date").flatMap(StatedWait::date).orElse(now);
        return date(value)
                .map(until -> Duration.between(sent, until))
                .map(wait -> wait.isNegative() ? Duration.ZERO : wait);
    }

    private static Optional<Instant> date(String value) {
        try {
            return Optional.of(DateTimeFormatter.RFC_1123_DATE_TIME.parse(value.strip(), Instant::from));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** The longest of those that refuse: they must all have tokens again. */
    private static Optional<Duration> exhausted(HttpHeaders headers) {
        return headers.allValues("RateLimit").stream()
                .flatMap(value -> Stream.of(value.split(",")))
                .filter(limit ->
                        number(REMAINING, limit).filter(left -> left == 0).isPresent())
                .flatMap(limit -> number(RESET, limit).stream())
                .map(Duration::ofSeconds)
                .max(Duration::compareTo);
    }

    private static Optional<Long> number(Pattern pattern, String limit) {
        Matcher matcher = pattern.matcher(limit);
        return matcher.find() ? Optional.of(Long.parseLong(matcher.group(1))) : Optional.empty();
    }
}
