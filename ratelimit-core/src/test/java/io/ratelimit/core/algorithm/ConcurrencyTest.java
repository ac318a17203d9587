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
        long[] two = three.release(all, later, 1, three.receipt(all, all));
        assertThat(three.remaining(two, later)).isEqualTo(1);
        assertThat(three.isFull(three.release(two, later, 2, all), later)).isTrue();
    }

    @Test
    void keepsWhatIsInFlightAboveALoweredLimit() {
        Concurrency one = Concurrency.of(limit(1));
        long[] all = one.carryOver(three, three.spend(three.full(NOW), NOW, 3), NOW);
        assertThat(one.remaining(all, NOW)).isZero();
        assertThat(one.admits(one.release(all, NOW, 2, all), NOW, 1)).isFalse();
        assertThat(one.admits(one.release(all, NOW, 3, all), NOW, 1)).isTrue();
        assertThat(three.carryOver(one, all, NOW)).isEqualTo(all);
        assertThat(one.arrive(one.depart(all, Moment.ofNanos(9)), Moment.ofNanos(104)))
                .isEqualTo(new long[] {3, 100});
    }

    @Test
    void aChargeOfACountThatEndedIsNoneOfTheNextOne() {
        long[] before = three.spend(three.full(NOW), NOW, 1);
        Moment later = Moment.ofNanos(6);
        long[] after = three.spend(three.full(later), later, 1);
        assertThat(three.release(after, later, 1, before)).isEqualTo(after);
        assertThat(three.undo(after, later, 1, before)).isEqualTo(after);
        assertThat(three.remaining(three.release(after, later, 1, after), later))
                .isEqualTo(3);
    }

    @Test
    void aRequestThatGetsItsTokensBackIsStillUnderWayUnlessItNeverRan() {
        long[] two = three.spend(three.full(NOW), NOW, 2);
        assertThat(three.refund(two, NOW, 2, two)).isEqualTo(two);
        assertThat(three.remaining(three.undo(two, NOW, 2, two), NOW)).isEqualTo(3);
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
    }

    @Test
    void ofTwoViewsTheOneWithMoreInFlightCounts() {
        long[] four = {4, 0};
        long[] five = {5, 0};
        assertThat(three.tighter(four, five, NOW)).isEqualTo(five);
        assertThat(three.tighter(five, four, NOW)).isEqualTo(five);
        assertThat(three.remaining(three.ofSeen(new LimitState(1, 0, 0), NOW), NOW))
                .isEqualTo(1);
    }

    @Test
    void lessThanNothingInFlightDoesNotArrive() {
        assertThatThrownBy(() -> three.arrive(new long[] {-1, 0}, NOW)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> three.arrive(new long[] {1}, NOW)).isInstanceOf(IllegalArgumentException.class);
    }

    private static Limit limit(long tokens) {
        return new Limit(tokens, Duration.ZERO, tokens, Algorithm.CONCURRENCY);
    }
}
