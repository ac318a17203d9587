package io.ratelimit.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BreakerTest {

    private final Breaker breaker = new Breaker();

    private boolean fail(int times) {
        boolean opened = false;
        for (int i = 0; i < times; i++) {
            opened |= breaker.failed();
        }
        return opened;
    }

    @Test
    void opensAfterFiveFailuresInARow() {
        assertThat(fail(4)).isFalse();
        breaker.succeeded();
        assertThat(fail(4)).isFalse();
        assertThat(breaker.isOpen()).isFalse();
        assertThat(fail(1)).isTrue();
        assertThat(breaker.isOpen()).isTrue();
    }

    @Test
    void oneCallerAloneIsToFindOutWhenTheDaemonIsBack() {
        fail(5);

        assertThat(breaker.failed()).isFalse();
        assertThat(breaker.open()).isFalse();
    }

    @Test
    void aLateAnswerEndsAPause() {
        fail(5);
        breaker.answeredLate();

        assertThat(breaker.isOpen()).isFalse();
    }

    @Test
    void aDaemonThatIsAlwaysLateIsAway() {
        fail(5);
        breaker.answeredLate();
        fail(5);
        breaker.answeredLate();
        assertThat(breaker.isOpen()).isTrue();

        breaker.close();
        breaker.succeeded();
        fail(5);
        breaker.answeredLate();
        assertThat(breaker.isOpen()).isFalse();
    }

    @Test
    void pausesGrowUntilADecisionComesInTime() {
        List<Long> pauses = Stream.generate(breaker::nextPause)
                .limit(20)
                .map(Duration::toMillis)
                .toList();
        assertThat(pauses).startsWith(250L, 500L, 1_000L, 2_000L, 2_000L).endsWith(2_000L);

        breaker.close();
        assertThat(breaker.nextPause()).isEqualTo(Breaker.LONGEST_PAUSE);
        breaker.succeeded();
        assertThat(breaker.nextPause()).isEqualTo(Breaker.FIRST_PAUSE);
    }
}
