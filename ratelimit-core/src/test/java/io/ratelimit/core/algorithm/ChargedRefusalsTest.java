package io.ratelimit.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.rules.Limit;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ChargedRefusalsTest {

    private static final long SECOND = 1_000_000_000L;

    private final TokenBucket bucket = TokenBucket.of(Limit.of(3, Duration.ofSeconds(30)));
    private final ChargedRefusals charged = new ChargedRefusals(bucket);

    @Test
    void aClientThatGoesOnIsNeverAdmitted() {
        long[] state = charged.spend(charged.full(at(0)), at(0), 3);
        for (int second = 1; second < 100; second++) {
            assertThat(charged.admits(state, at(second * SECOND), 1)).isFalse();
            state = charged.refuse(state, at(second * SECOND), 1);
        }
        assertThat(charged.waitNanos(state, at(99 * SECOND), 1)).isEqualTo(10 * SECOND);
        assertThat(charged.admits(state, at(109 * SECOND), 1)).isTrue();
    }

    @Test
    void keepsTheStateOfWhatItStandsOver() {
        long[] state = bucket.spend(bucket.full(at(0)), at(0), 2);
        assertThat(charged.carryOver(bucket, state, at(0))).isEqualTo(state);
        assertThat(bucket.arrive(charged.depart(state, at(0)), at(0))).isEqualTo(state);
        assertThat(charged.arrive(bucket.depart(state, at(0)), at(0))).isEqualTo(state);
        assertThat(charged.refund(state, at(0), 2, charged.receipt(charged.full(at(0)), state)))
                .isEqualTo(bucket.full(at(0)));
        assertThat(charged.fullNanos(state, at(0))).isEqualTo(20 * SECOND);
    }

    @Test
    void aRefusalBecauseOfSpacingSpacesAnew() {
        ChargedRefusals both = new ChargedRefusals(new Spaced(bucket, Duration.ofSeconds(2)));
        long[] state = both.spend(both.full(at(0)), at(0), 1);
        state = both.refuse(state, at(SECOND), 1);
        assertThat(both.admits(state, at(3 * SECOND - 1), 1)).isFalse();
    }

    private static Moment at(long nanos) {
        return Moment.ofNanos(nanos);
    }
}
