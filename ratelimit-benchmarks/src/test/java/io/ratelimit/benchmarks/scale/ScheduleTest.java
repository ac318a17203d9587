package io.ratelimit.benchmarks.scale;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ScheduleTest {

    @Test
    void aMillionAreHereIfAHundredThousandComeEachSecondAndStayForTwoTokensOfFiveSeconds() {
        Schedule schedule = new Schedule(1_000_000, 100_000);

        assertThat(schedule.tokenFillsIn()).isEqualTo(Duration.ofSeconds(5));
        assertThat(schedule.nanosBetweenCalls()).isEqualTo(5_000);
    }
}
