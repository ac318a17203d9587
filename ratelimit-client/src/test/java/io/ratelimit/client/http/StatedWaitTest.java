package io.ratelimit.client.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StatedWaitTest {

    private static final Instant NOW = Instant.parse("2026-11-29T12:00:00Z");

    private static HttpHeaders headers(String... namesAndValues) {
        Map<String, List<String>> all = new TreeMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            all.computeIfAbsent(namesAndValues[i], name -> new ArrayList<>()).add(namesAndValues[i + 1]);
        }
        return HttpHeaders.of(all, (name, value) -> true);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "5 | 5",
                "0 | 0",
                "' 120 ' | 120",
                "Sun, 29 Nov 2026 12:01:30 GMT | 90",
                "Sun, 29 Nov 2026 11:00:00 GMT | 0",
            })
    void readsBothFormsOfRetryAfter(String value, long seconds) {
        assertThat(StatedWait.of(headers("Retry-After", value), NOW)).contains(Duration.ofSeconds(seconds));
    }

    @Test
    void aDateIsReadByTheServersClock() {
        HttpHeaders wrongClock =
                headers("Date", "Sun, 29 Nov 2026 09:00:00 GMT", "Retry-After", "Sun, 29 Nov 2026 09:00:07 GMT");

        assertThat(StatedWait.of(wrongClock, NOW)).contains(Duration.ofSeconds(7));
    }

    @Test
    void ofLimitsTheLongestWaitCountsOfThoseThatHaveNothingLeft() {
        HttpHeaders limits =
                headers("RateLimit", "\"second\";r=0;t=1, \"hour\";r=0;t=40", "RateLimit", "\"day\";r=17;t=9000");

        assertThat(StatedWait.of(limits, NOW)).contains(Duration.ofSeconds(40));
    }

    @Test
    void retryAfterIsWorthMoreThanLimits() {
        assertThat(StatedWait.of(headers("Retry-After", "3", "RateLimit", "\"a\";r=0;t=60"), NOW))
                .contains(Duration.ofSeconds(3));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "soon", "-5", "1.5", "99999999999999999999", "Sun, 32 Nov 2026 12:00:00 GMT"})
    void whatCannotBeReadSaysNothing(String value) {
        assertThat(StatedWait.of(headers("Retry-After", value), NOW)).isEmpty();
    }

    @Test
    void limitsThatHaveTokensLeftSayNothing() {
        assertThat(StatedWait.of(headers("RateLimit", "\"a\";r=1;t=60"), NOW)).isEmpty();
        assertThat(StatedWait.of(headers(), NOW)).isEmpty();
    }
}
