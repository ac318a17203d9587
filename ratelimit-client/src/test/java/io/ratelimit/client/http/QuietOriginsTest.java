package io.ratelimit.client.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class QuietOriginsTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);

    private final QuietOrigins origins = new QuietOrigins();

    private static URI origin(int number) {
        return URI.create("https://host" + number + ".example.org/path");
    }

    private Duration left(int number) {
        return origins.of(origin(number)).orElseThrow().left();
    }

    @Test
    void aServerThatIsNeverToBeAskedAgainIsLeftAloneForAYear() {
        origins.refused(origin(1), 503, Duration.between(Instant.now(), Instant.parse("9999-12-31T00:00:00Z")));

        assertThat(left(1)).isBetween(Duration.ofDays(364), Duration.ofDays(365));
    }

    @Test
    void aShorterTimeDoesNotEndALongerOne() {
        origins.refused(origin(1), 429, HOUR);
        origins.refused(origin(1), 429, MINUTE);

        assertThat(left(1)).isGreaterThan(MINUTE);
    }

    @Test
    void oneOfAThousandServersMayAskForMoreTimeAndNoOtherIsTaken() {
        for (int i = 0; i < 1_000; i++) {
            origins.refused(origin(i), 429, MINUTE);
        }
        origins.refused(origin(7), 503, HOUR);
        origins.refused(origin(1_000), 503, HOUR);

        assertThat(left(7)).isGreaterThan(MINUTE);
        assertThat(origins.of(origin(1_000))).isEmpty();
    }
}
