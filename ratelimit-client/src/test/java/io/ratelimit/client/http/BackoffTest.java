package io.ratelimit.client.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BackoffTest {

    private static final Duration BASE = Duration.ofMillis(100);
    private static final Duration CAP = Duration.ofSeconds(30);

    /** Draws the largest that it may. */
    private static final RandomGenerator HIGHEST = new RandomGenerator() {
        @Override
        public long nextLong() {
            return Long.MAX_VALUE;
        }

        @Override
        public long nextLong(long bound) {
            return bound - 1;
        }
    };

    @Test
    void everyWaitIsBetweenNothingAndTheCapHoweverManyHaveFailed() {
        Backoff backoff = new Backoff(BASE, CAP, new SplittableRandom(1));

        for (int failed = 1; failed <= 200; failed++) {
            assertThat(backoff.after(failed, null)).as("after %s", failed).isBetween(Duration.ZERO, CAP);
        }
        assertThat(backoff.after(Integer.MAX_VALUE, null)).isBetween(Duration.ZERO, CAP);
    }

    @Test
    void theCeilingDoublesAndNeverShrinks() {
        Backoff backoff = new Backoff(BASE, CAP, HIGHEST);
        List<Duration> ceilings = new ArrayList<>();
        for (int failed = 1; failed <= 100; failed++) {
            ceilings.add(backoff.after(failed, null));
        }

        assertThat(ceilings)
                .startsWith(BASE, BASE.multipliedBy(2), BASE.multipliedBy(4))
                .isSorted();
        assertThat(ceilings.subList(9, 100)).containsOnly(CAP);
    }

    @Test
    void theLargestCapOverflowsNowhere() {
        Duration endless = Duration.ofMillis(Long.MAX_VALUE);

        for (int failed : new int[] {1, 2, 31, 32, 33, 62, 63, 64, 65, 66, 1_000}) {
            assertThat(new Backoff(Duration.ZERO, endless, HIGHEST).after(failed, null))
                    .isZero();
            assertThat(new Backoff(BASE, endless, HIGHEST).after(failed, null)).isPositive();
            assertThat(new Backoff(endless, endless, HIGHEST).after(failed, null))
                    .isPositive();
        }
    }

    @Test
    void thoseWhoWereToldTheSameComeBackLaterAndApart() {
        Backoff backoff = new Backoff(BASE, CAP, new SplittableRandom(2));

        Map<Long, Long> tenths = IntStream.range(0, 1_000)
                .mapToObj(caller -> backoff.after(1, Duration.ofSeconds(5)))
                .map(wait -> wait.toMillis() / 100)
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));

        assertThat(tenths.keySet()).allSatisfy(tenth -> assertThat(tenth).isBetween(50L, 62L));
        assertThat(tenths.values()).allSatisfy(callers -> assertThat(callers).isLessThan(200));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 1_000_000_000_000L})
    void nobodyComesBackBeforeTheTimeThatTheServerHasSaid(long millis) {
        Duration stated = Duration.ofMillis(millis);

        assertThat(new Backoff(Duration.ZERO, CAP, HIGHEST).after(1, stated)).isGreaterThanOrEqualTo(stated);
    }

    @Test
    void timesOutOfOrderAreRefused() {
        assertThatThrownBy(() -> new Backoff(CAP, CAP.minusNanos(1), HIGHEST))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT30S")
                .hasMessageContaining("in order");
    }
}
