package io.ratelimit.server.console;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/**
 * A time for people and, beside it, for programs.
 *
 * @param instant the time
 */
record ReadableTime(Instant instant) {

    private static final DateTimeFormatter TEXT = DateTimeFormatter.ofPattern("d MMM uuuu, HH:mm 'UTC'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    /** Such as {@code 29 Nov 2026, 21:05 UTC}. */
    String text() {
        return TEXT.format(instant);
    }

    /** Such as {@code 2026-11-29T21:05:09Z}. */
    String machine() {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
