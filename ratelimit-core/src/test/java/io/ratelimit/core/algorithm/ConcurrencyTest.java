package io.ratelimit.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ratelimit.LimitState;
import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ConcurrencyTest {

    private static final Moment NOW = Moment.ofNanos(5);

    private final Concurrency three = Concurrency.of(limit(3));

    @Test
    void admitsWhatFitsBesideWhatIsInFlightAndNamesNoWait() {
        long[] two = three.spend(three.full(NOW), NOW, 2);
        assertThat(three.waitNanos(two, NOW, 1)).isZero();
        assertThat(three.waitNanos(two, NOW, 2)).isEqualTo(LimitState.NEVER);
        assertThat(three.describe(two, NOW, LimitState.NEVER)).isEqualTo(new LimitState(1, LimitState.NEVER, 0));
        assertThat(three.waitNanos(three.spend(two, NOW, 1), NOW, 0)).isZero();
    }

    @Test
    void onlyTheEndOfARequestReleasesWhatItHolds() {
        long[] all = three.spend(three.full(NOW), NOW, 3);
        Moment later = Moment.ofNanos(Duration.ofDays(300).toNanos());
        assertThat(three.fullNanos(all, later)).isEqualTo(LimitAlgorithm.NOT_BY_WAITING);
        assertThat(three.remaining(all, later)).isZero();
        long[] two = three.refund(all, later, 1, three.receipt(all));
        assertThat(three.remaining(two, later)).isEqualTo(1);
        assertThat(three.isFull(three.refund(two, later, 2, all), later)).isTrue();
    }

    @Test
    void keepsWhatIsInFlightAboveALoweredLimit() {
        Concurrency one = Concurrency.of(limit(1));
        long[] all = one.carryOver(three, three.spend(three.full(NOW), NOW, 3), NOW);
        assertThat(one.remaining(all, NOW)).isZero();
        assertThat(one.admits(one.refund(all, NOW, 2, all), NOW, 1)).isFalse();
        assertThat(one.admits(one.refund(all, NOW, 3, all), NOW, 1)).isTrue();
        assertThat(three.carryOver(one, all, NOW)).isEqualTo(new long[] {3});
        assertThat(one.arrive(one.depart(all, NOW), Moment.ofNanos(0))).isEqualTo(all);
    }

    @Test
    void keepsWhatIsInFlightWhenAnOptionComesOrGoes() {
        Spaced spaced = new Spaced(three, Duration.ofSeconds(1));
        long[] two = spaced.spend(spaced.full(NOW), NOW, 2);
        assertThat(three.carryOver(spaced, two, NOW)).isEqualTo(new long[] {2});
        assertThat(spaced.remaining(spaced.carryOver(three, new long[] {2}, NOW), NOW))
                .isEqualTo(1);
        long[] one = three.refund(new long[] {2}, NOW, 1, spaced.receipt(two));
        assertThat(three.remaining(one, NOW)).isEqualTo(2);
    }

    @Test
    void startsWithNoneInFlightAfterAnotherAlgorithm() {
        TokenBucket bucket = TokenBucket.of(Limit.of(3, Duration.ofMinutes(1)));
        long[] empty = bucket.spend(bucket.full(NOW), NOW, 3);
        assertThat(three.carryOver(bucket, empty, NOW)).isEqualTo(three.full(NOW));
    }

    @Test
    void refusedRequestsAreNotUnderWay() {
        long[] all = three.spend(three.full(NOW), NOW, 3);
        assertThat(three.spendRefused(all, NOW, 2)).isEqualTo(all);
        assertThatThrownBy(() -> new ChargedRefusals(three))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("chargeRefused does not go with concurrency");
    }

    @Test
    void ofTwoViewsTheOneWithMoreInFlightCounts() {
        assertThat(three.tighter(new long[] {4}, new long[] {5}, NOW)).isEqualTo(new long[] {5});
        assertThat(three.ofSeen(new LimitState(1, 0, 0), NOW)).isEqualTo(new long[] {2});
    }

    @Test
    void lessThanNothingInFlightDoesNotArrive() {
        assertThatThrownBy(() -> three.arrive(new long[] {-1}, NOW)).isInstanceOf(IllegalArgumentException.class);
    }

    private static Limit limit(long tokens) {
        return new Limit(tokens, Duration.ZERO, tokens, Algorithm.CONCURRENCY);
    }
}
