package io.ratelimit.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ratelimit.LimitState;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.Penalty;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tokens that were spent elsewhere, and what is known of refunds on its way to another clock. */
class OwedTokensTest {

    private static final long SECOND = 1_000_000_000L;

    private final CellRate rate = CellRate.of(Limit.of(4, Duration.ofSeconds(1)));
    private final long full = rate.full(10 * SECOND);

    @Test
    void whatTheBucketHoldsIsSpent() {
        long state = rate.owe(full, 10 * SECOND, 0, 3, 8);
        assertThat(rate.remaining(state, 10 * SECOND)).isEqualTo(1);
        assertThat(rate.fullNanos(state, 10 * SECOND)).isEqualTo(750_000_000L);
    }

    @Test
    void whatItDoesNotHoldIsOwedAndPaidBackByWaiting() {
        long state = rate.owe(rate.owe(full, 10 * SECOND, 0, 8, 8), 10 * SECOND, 0, 4, 8);
        assertThat(rate.waitNanos(state, 10 * SECOND, 1)).isEqualTo(2_250_000_000L);
        assertThat(rate.admits(state, 12 * SECOND + 249_999_999L, 1)).isFalse();
        assertThat(rate.admits(state, 12 * SECOND + 250_000_000L, 1)).isTrue();
    }

    @Test
    void noMoreIsOwedThanIsSaid() {
        long state = rate.owe(full, 10 * SECOND, 0, 1_000, 8);
        assertThat(rate.fullNanos(state, 10 * SECOND)).isEqualTo(3 * SECOND);
        assertThat(rate.owe(state, 10 * SECOND, 0, 1, 2)).isEqualTo(state);
        assertThat(rate.fullNanos(rate.owe(full, 10 * SECOND, 0, Long.MAX_VALUE, Long.MAX_VALUE), 10 * SECOND))
                .isGreaterThan(Duration.ofDays(1).toNanos());
    }

    @Test
    void whatIsOwedShowsInWhatTheBucketSays() {
        for (int tokens = 0; tokens <= 12; tokens++) {
            long state = rate.owe(full, 10 * SECOND, 0, tokens, 8) - (tokens == 0 ? 0 : 1);
            LimitState said = rate.describe(state, 10 * SECOND, 0);
            assertThat(rate.stateOf(said, 20 * SECOND) - rate.full(20 * SECOND))
                    .as("%d tokens", tokens)
                    .isEqualTo(state - full);
        }
    }

    @Test
    void theWaitOfAPenaltyIsNothingOwed() {
        Limit limit = Limit.of(4, Duration.ofSeconds(1));
        LimitAlgorithm penalised =
                LimitAlgorithm.of(limit.with(limit.options().withPenalty(new Penalty(1, Duration.ofMinutes(5)))));
        Moment now = Moment.ofNanos(10 * SECOND);
        long[] state = penalised.refuse(penalised.spend(penalised.full(now), now, 4), now, 1);
        LimitState said = penalised.describe(state, now, 0);
        assertThat(said.nextTokenNanos()).isEqualTo(300 * SECOND);
        assertThat(penalised.fullNanos(penalised.ofSeen(said, now), now)).isEqualTo(SECOND);
    }

    @Test
    void whatWasSpentAWhileAgoHasRefilledSince() {
        long state = rate.owe(rate.full(0), 10 * SECOND, SECOND / 2, 3, 8);
        assertThat(rate.fullNanos(state, 10 * SECOND)).isEqualTo(250_000_000L);
        assertThat(rate.isFull(rate.owe(rate.full(0), 10 * SECOND, 2 * SECOND, 3, 8), 10 * SECOND))
                .isTrue();
        long used = rate.spend(full, 10 * SECOND, 2);
        assertThat(rate.fullNanos(rate.owe(used, 10 * SECOND, SECOND / 2, 1, 8), 10 * SECOND))
                .isEqualTo(750_000_000L);
        assertThat(rate.fullNanos(rate.owe(rate.full(0), 0, SECOND, 1, 8), 0)).isEqualTo(250_000_000L);
    }

    @Test
    void aBucketThatIsFullAgainKnowsSinceWhenForWhatIsHeardNext() {
        long once = rate.owe(rate.full(0), 10 * SECOND, SECOND, 3, 8);
        assertThat(rate.isFull(once, 10 * SECOND)).isTrue();
        long twice = rate.owe(once, 10 * SECOND, SECOND, 3, 8);
        assertThat(rate.fullNanos(twice, 10 * SECOND)).isEqualTo(500_000_000L);
    }

    @Test
    void aBucketThatBeginsNowWasFullBefore() {
        long state = rate.owe(full, 10 * SECOND, SECOND / 2, 3, 8);
        assertThat(rate.fullNanos(state, 10 * SECOND)).isEqualTo(250_000_000L);
    }

    @Test
    void whatIsKnownOfRefundsKeepsItsMeaningOnAnotherClock() {
        long token = rate.spend(full, 10 * SECOND, 1) - full;
        GivenBack known =
                GivenBack.NOTHING.plus(full + 2 * token, 0, token, full).plus(full + 4 * token, token, token, full);
        long other = rate.full(99 * SECOND);
        GivenBack arrived = GivenBack.arrive(known.depart(full), other);
        assertThat(arrived.total()).isEqualTo(2 * token);
        for (int i = 0; i <= 6; i++) {
            assertThat(arrived.before(other + i * token, 0)).isEqualTo(known.before(full + i * token, 0));
            assertThat(arrived.before(other + i * token, token)).isEqualTo(known.before(full + i * token, token));
        }
        assertThat(GivenBack.arrive(GivenBack.NOTHING.depart(full), other).total())
                .isZero();
    }

    @Test
    void wordsThatAreNoRefundsAreRefused() {
        assertThatThrownBy(() -> GivenBack.arrive(new long[0], 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> GivenBack.arrive(new long[2], 0)).hasMessageContaining("2 words");
        assertThatThrownBy(() -> GivenBack.arrive(new long[131], 0)).hasMessageContaining("131 words");
        assertThat(GivenBack.arrive(new long[129], 0).total()).isZero();
    }

    @Test
    void placesAreCountedFromAFullBucket() {
        Moment now = Moment.ofNanos(10 * SECOND);
        Limit limit = Limit.of(4, Duration.ofSeconds(1));
        assertThat(LimitAlgorithm.of(limit).place(now)).isEqualTo(full);
        Limit spaced = limit.with(limit.options().withMinInterval(Duration.ofMillis(1)));
        assertThat(LimitAlgorithm.of(spaced).place(now)).isEqualTo(full);
    }
}
