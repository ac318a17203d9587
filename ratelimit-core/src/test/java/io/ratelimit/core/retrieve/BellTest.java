package io.ratelimit.core.retrieve;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class BellTest {

    private static final Duration HOUR = Duration.ofHours(1);

    private final Bell bell = new Bell();

    @Test
    void aPauseIsCutShort() throws Exception {
        ScheduledExecutorService other = Executors.newSingleThreadScheduledExecutor();
        try {
            ScheduledFuture<?> ring = other.schedule(bell::ring, 300, TimeUnit.MILLISECONDS);
            assertThat(millisOf(HOUR)).isGreaterThanOrEqualTo(200);
            ring.get();
        } finally {
            other.shutdownNow();
        }
    }

    @Test
    void howeverOftenItIsRungOnePauseIsCutShortAndHoldsATenthOfASecond() throws Exception {
        for (int i = 0; i < 1000; i++) {
            bell.ring();
        }

        assertThat(millisOf(HOUR)).isGreaterThanOrEqualTo(100);
        assertThat(millisOf(Duration.ofMillis(300))).isGreaterThanOrEqualTo(300);
    }

    @Test
    void aShorterPauseIsHeldAsItIs() throws Exception {
        assertThat(millisOf(Duration.ofMillis(20))).isBetween(20L, 99L);
    }

    private long millisOf(Duration pause) throws InterruptedException {
        long before = System.nanoTime();
        bell.sleep(pause);
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - before);
    }
}
