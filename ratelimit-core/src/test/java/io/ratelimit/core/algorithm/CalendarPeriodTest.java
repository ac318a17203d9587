package io.ratelimit.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CalendarPeriodTest {

    @ParameterizedTest
    @CsvSource({
        "PT15M, 1970-01-01T00:00, 0",
        "PT15M, 1970-01-01T00:14:59.999, 0",
        "PT15M, 1970-01-02T00:15, 97",
        "PT15M, 1969-12-31T23:59, -1",
        "P1D, 1970-01-11T12:00, 10",
        "P7D, 1970-01-04T23:59, -1",
        "P7D, 1970-01-05T00:00, 0",
        "P7D, 2026-11-28T12:00, 2968",
        "P30D, 2026-11-28T12:00, 24322",
        "P365D, 2026-11-28T12:00, 2026"
    })
    void stretchesAreNumbered(Duration length, LocalDateTime local, long index) {
        assertThat(CalendarPeriod.of(length).indexOf(local)).isEqualTo(index);
    }

    @Property(tries = 300)
    void everyTimeLiesInTheStretchOfItsNumber(
            @ForAll @LongRange(min = -4_000_000_000L, max = 8_000_000_000L) long epochSecond) {
        LocalDateTime local = LocalDateTime.ofEpochSecond(epochSecond, 0, ZoneOffset.UTC);
        for (String length : new String[] {"PT0.25S", "PT15M", "PT12H", "P1D", "P7D", "P30D", "P365D"}) {
            CalendarPeriod period = CalendarPeriod.of(Duration.parse(length));
            long index = period.indexOf(local);
            assertThat(period.begin(index)).isBeforeOrEqualTo(local);
            assertThat(period.begin(index + 1)).isAfter(local);
        }
    }
}
