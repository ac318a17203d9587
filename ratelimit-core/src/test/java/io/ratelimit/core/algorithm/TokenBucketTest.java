package io.ratelimit.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TokenBucketTest {

    private static final long SECOND = 1_000_000_000L;

    private final TokenBucket bucket = TokenBucket.of(Limit.of(10, Duration.ofSeconds(10)));

    @Test
    void admitsWhatItHolds() {
        long[] state = bucket.spend(bucket.full(at(0)), at(0), 7);
        assertThat(bucket.admits(state, at(0), 3)).isTrue();
        assertThat(bucket.admits(state, at(0), 4)).isFalse();
        assertThat(bucket.admits(state, at(SECOND), 4)).isTrue();
    }

    @Test
    void oneThatHasLongBeenFullIsReadAsFullWhereverItsStateLiesOnTheCircle() {
        long[] state = bucket.spend(bucket.full(at(0)), at(0), 7);
        assertThat(bucket.refresh(state, at(0), at(7 * SECOND - 1))).isSameAs(state);
        assertThat(bucket.refresh(state, at(0), at(7 * SECOND))).isEqualTo(bucket.full(at(7 * SECOND)));
        assertThat(bucket.refresh(state, at(SECOND), at(7 * SECOND - 1))).isSameAs(state);
        long halfACircle = Long.MAX_VALUE / 2 + 3 * SECOND;
        long[] fresh = bucket.refresh(state, at(0), at(halfACircle));
        assertThat(bucket.remaining(fresh, at(halfACircle))).isEqualTo(10);
    }

    @Test
    void owesTokensAsFarAheadAsItsNumbersHaveRoom() {
        assertThat(bucket.longestTurnNanos()).isEqualTo(bucket.rate().longestTurnNanos());
    }

    @Test
    void goesOnAsItIsUnderAnEqualRateAndTurnsIntoAnotherOne() {
        TokenBucket equal = TokenBucket.of(new Limit(10, Duration.ofSeconds(10), 10, Algorithm.GCRA));
        long[] state = bucket.spend(bucket.full(at(5)), at(5), 7);
        assertThat(equal.carryOver(bucket, state, at(6))).isEqualTo(state);
        // 7 tokens less one nanosecond's worth are missing: 7 whole ones count as used.
        TokenBucket smaller = TokenBucket.of(Limit.of(8, Duration.ofSeconds(10)));
        assertThat(smaller.remaining(smaller.carryOver(bucket, state, at(6)), at(6)))
                .isEqualTo(1);
        TokenBucket burst = TokenBucket.of(Limit.of(10, Duration.ofSeconds(10)).withBurst(20));
        assertThat(burst.remaining(burst.carryOver(bucket, state, at(5)), at(5)))
                .isEqualTo(13);
        Spaced spaced = new Spaced(bucket, Duration.ofSeconds(1));
        long[] spent = spaced.spend(spaced.full(at(0)), at(0), 4);
        assertThat(bucket.remaining(bucket.carryOver(spaced, spent, at(0)), at(0)))
                .isEqualTo(6);
    }

    @Test
    void theTighterOfTwoStatesIsTheOneInWhichMoreIsMissing() {
        long[] three = bucket.spend(bucket.full(at(0)), at(0), 3);
        long[] four = bucket.spend(bucket.full(at(0)), at(0), 4);
        assertThat(bucket.tighter(three, four, at(0))).isSameAs(four);
        assertThat(bucket.tighter(four, three, at(0))).isSameAs(four);
    }

    @Test
    void aReceiptThatArrivesLongAfterItsChargeHoldsNothing() {
        long[] departed = bucket.departReceipt(bucket.spend(bucket.full(at(0)), at(0), 7), at(0));
        long[] used = bucket.spend(bucket.full(at(8 * SECOND)), at(8 * SECOND), 5);
        long[] late = bucket.arriveReceipt(departed, at(SECOND), at(8 * SECOND));
        assertThat(bucket.remaining(bucket.refund(used, at(8 * SECOND), 7, late), at(8 * SECOND)))
                .isEqualTo(5);
        long[] early = bucket.arriveReceipt(departed, at(3 * SECOND), at(8 * SECOND));
        assertThat(bucket.remaining(bucket.refund(used, at(8 * SECOND), 7, early), at(8 * SECOND)))
                .isEqualTo(7);
    }

    @Test
    void whatIsNoNumberOfUnitsDoesNotArrive() {
        assertThatThrownBy(() -> bucket.arrive(new long[] {-1}, at(0))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> bucket.arrive(new long[] {1, 1}, at(0))).isInstanceOf(IllegalArgumentException.class);
        assertThat(bucket.isFull(bucket.arrive(new long[] {0}, at(3)), at(3))).isTrue();
    }

    private static Moment at(long nanos) {
        return Moment.ofNanos(nanos);
    }
}
