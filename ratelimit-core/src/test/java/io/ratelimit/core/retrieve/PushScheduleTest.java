package io.ratelimit.core.retrieve;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PushScheduleTest {

    private final Random random = new Random(1);

    @Test
    void pausesAreAnythingUpToTheDoubleOfTheOnesBeforeAndNeverLongerThanTheLongest() {
        assertThat(longestAfter(1)).isBetween(900L, 1000L);
        assertThat(longestAfter(2)).isBetween(1900L, 2000L);
        assertThat(longestAfter(5)).isBetween(15_000L, 16_000L);
        assertThat(longestAfter(6)).isBetween(29_000L, 30_000L);
        assertThat(longestAfter(Integer.MAX_VALUE)).isBetween(29_000L, 30_000L);
        assertThat(PushSchedule.DEFAULT.pause(9, new Random(1)))
                .isNotEqualTo(PushSchedule.DEFAULT.pause(9, new Random(2)));
    }

    @Test
    void whoIsRefusedWaitsForMinutes() {
        assertThat(IntStream.range(0, 1000).mapToObj(i -> PushSchedule.DEFAULT.pauseWhenRefused(random)))
                .allMatch(pause -> pause.compareTo(Duration.ofMinutes(1)) >= 0)
                .allMatch(pause -> pause.compareTo(Duration.ofMinutes(3)) <= 0);
    }

    private long longestAfter(int failures) {
        return IntStream.range(0, 1000)
                .mapToLong(i -> PushSchedule.DEFAULT.pause(failures, random).toMillis())
                .max()
                .orElseThrow();
    }
}
