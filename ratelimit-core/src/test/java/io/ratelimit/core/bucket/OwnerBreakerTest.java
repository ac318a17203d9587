package io.ratelimit.core.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class OwnerBreakerTest {

    private static final Duration PATIENCE = Duration.ofNanos(20);

    private final OwnerBreaker breaker = new OwnerBreaker();

    @Test
    void nobodyWhoWasNotAskedIsTakenForSilent() {
        assertThat(breaker.isOpen(Long.MAX_VALUE, PATIENCE)).isFalse();
        breaker.asked(1_000);
        breaker.answered();
        assertThat(breaker.isOpen(1_000_000, PATIENCE)).isFalse();
    }

    @Test
    void opensOnceAnAnswerHasBeenOwedForLongerThanItIsOfUse() {
        breaker.asked(1_001);
        assertThat(breaker.isOpen(1_021, PATIENCE)).isFalse();
        assertThat(breaker.isOpen(1_022, PATIENCE)).isTrue();
        assertThat(breaker.silentNanos(1_022)).isEqualTo(21);
    }

    @Test
    void laterQuestionsDoNotMakeItForgetTheFirst() {
        breaker.asked(1_001);
        breaker.asked(1_015);
        assertThat(breaker.isOpen(1_022, PATIENCE)).isTrue();
    }

    @Test
    void anyAnswerClosesItThoughOthersAreStillOwed() {
        breaker.asked(1_001);
        breaker.asked(1_015);
        breaker.answered();
        assertThat(breaker.isOpen(1_500, PATIENCE)).isFalse();
        breaker.asked(1_501);
        assertThat(breaker.isOpen(1_522, PATIENCE)).isTrue();
    }

    @Test
    void anOwnerIsAskedTheSeldomerTheLongerItIsSilent() {
        breaker.asked(1);
        int probes = 0;
        for (long nanos = 21; nanos <= 10_000_000_001L; nanos += 1_000_000) {
            probes += breaker.mayProbe(nanos, Duration.ofMillis(20)) ? 1 : 0;
        }
        assertThat(probes).isBetween(14, 18);
    }

    @Test
    void oneCallerAtATimeProbes() {
        assertThat(breaker.mayProbe(-5, PATIENCE)).isTrue();
        assertThat(breaker.mayProbe(14, PATIENCE)).isFalse();
        assertThat(breaker.mayProbe(15, PATIENCE)).isTrue();
        assertThat(breaker.mayProbe(16, PATIENCE)).isFalse();
    }

    @Test
    void aClockThatTurnsOverIsNoSilence() {
        breaker.asked(Long.MAX_VALUE - 4);
        assertThat(breaker.isOpen(Long.MIN_VALUE + 10, PATIENCE)).isFalse();
        assertThat(breaker.isOpen(Long.MIN_VALUE + 20, PATIENCE)).isTrue();
    }
}
