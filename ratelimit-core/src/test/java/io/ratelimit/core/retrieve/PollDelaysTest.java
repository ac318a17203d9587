package io.ratelimit.core.retrieve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PollDelaysTest {

    private static final PollSchedule HTTP = new PollSchedule(Duration.ofSeconds(5), Duration.ofMinutes(1));
    private static final PollSchedule FILE = new PollSchedule(Duration.ofSeconds(1), Duration.ofSeconds(1));

    @Test
    void delaysAreSpreadOverAFifthBothWays() {
        PollDelays delays = new PollDelays(FILE, new Random(1));
        List<Duration> some =
                IntStream.range(0, 1000).mapToObj(i -> delays.next(0)).sorted().toList();

        assertThat(some.get(0)).isBetween(Duration.ofMillis(800), Duration.ofMillis(820));
        assertThat(some.get(999)).isBetween(Duration.ofMillis(1180), Duration.ofMillis(1200));
    }

    @Test
    void failuresDoubleTheDelayUpToTheCap() {
        PollDelays delays = new PollDelays(HTTP, middle());

        assertThat(IntStream.range(0, 6).mapToObj(delays::next).map(Duration::toSeconds))
                .containsExactly(5L, 10L, 20L, 40L, 60L, 60L);
    }

    @Test
    void noNumberOfFailuresLeavesTheBounds() {
        PollDelays delays = new PollDelays(HTTP, new Random(2));
        for (int failures : new int[] {4, 31, 32, 33, 62, 63, 64, 65, 66, 1000, Integer.MAX_VALUE}) {
            assertThat(delays.next(failures)).isBetween(Duration.ofSeconds(48), Duration.ofMinutes(1));
        }
    }

    @Test
    void aFailingFileIsLookedAtAsOftenAsAnyOther() {
        assertThat(new PollDelays(FILE, middle()).next(50)).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void aScheduleThatWouldSpinIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PollSchedule(Duration.ofNanos(1), Duration.ofSeconds(1)))
                .withMessageContaining("at least 10 ms");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PollSchedule(Duration.ofSeconds(-1), Duration.ofSeconds(1)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PollSchedule(Duration.ofSeconds(2), Duration.ofSeconds(1)))
                .withMessageContaining("at least the poll interval");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PollSchedule(Duration.ofSeconds(2), Duration.ofDays(400)))
                .withMessageContaining("at most one day");
    }

    private static RandomGenerator middle() {
        return new RandomGenerator() {
            @Override
            public long nextLong() {
                return Long.MIN_VALUE;
            }

            @Override
            public double nextDouble() {
                return 0.5;
            }
        };
    }
}
