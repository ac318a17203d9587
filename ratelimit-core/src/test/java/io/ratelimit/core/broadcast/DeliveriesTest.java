package io.ratelimit.core.broadcast;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DeliveriesTest {

    private static final long MILLI = 1_000_000;
    private static final long ORIGIN = 7;

    /** Another host's clock has another origin; the difference overflows. */
    private static final long THERE = Long.MAX_VALUE - 5 * MILLI;

    private final Deliveries deliveries = new Deliveries();
    private long number;

    @Test
    void theQuickestMessageTookNoTimeAndOthersAsMuchAsTheyWereSlower() {
        assertThat(underWay(0, 3)).isZero();
        assertThat(underWay(10, 11)).isZero();
        assertThat(underWay(20, 25)).isEqualTo(4 * MILLI);
        assertThat(underWay(30, 5_030)).isEqualTo(4_999 * MILLI);
    }

    @Test
    void hostsAreToldApart() {
        assertThat(underWay(0, 1)).isZero();
        assertThat(deliveries.arrived(8, Postmark.first(0), 9 * MILLI).underWayNanos())
                .isZero();
    }

    @Test
    void theQuickestIsSoughtAnewOnceInAWhile() {
        long window = Deliveries.WINDOW_NANOS / MILLI;
        underWay(0, 1);
        assertThat(underWay(window, window + 11)).isEqualTo(10 * MILLI);
        assertThat(underWay(2 * window, 2 * window + 11)).isZero();
    }

    @Test
    void aHostThatIsNotHeardOfForLongIsForgotten() {
        underWay(0, 1);
        deliveries.sweep(21 * Deliveries.WINDOW_NANOS);
        assertThat(underWay(22 * Deliveries.WINDOW_NANOS / MILLI, 23 * Deliveries.WINDOW_NANOS / MILLI))
                .isZero();
    }

    @Test
    void numbersThatAreMissingAfterASilenceAreAStandstillForWhomNothingWasHeardSince() {
        arrive(0, 0, 1);
        assertThat(arrive(1, 10, 11).standstill(0)).isZero();
        Delivery ends = arrive(6, 6_020, 6_022);
        assertThat(ends.standstill(11 * MILLI)).isEqualTo(6_011 * MILLI);
        assertThat(ends.isLate()).isFalse();
        Delivery later = arrive(7, 6_030, 6_031);
        assertThat(later.standstill(11 * MILLI)).isEqualTo(6_020 * MILLI);
        assertThat(later.standstill(6_022 * MILLI)).isZero();
    }

    @Test
    void whatWasSentDuringAStandstillIsLate() {
        arrive(0, 0, 1);
        assertThat(arrive(1, 10, 6_001).isLate()).isTrue();
        assertThat(arrive(2, 3_000, 6_002).isLate()).isTrue();
        assertThat(arrive(3, 6_002, 6_003).isLate()).isFalse();
    }

    @Test
    void neitherSilenceNorAnotherOrderNorSlownessIsAStandstill() {
        arrive(0, 0, 1);
        assertThat(arrive(2, 20, 21).afterStandstill()).isFalse();
        assertThat(arrive(1, 10, 22).afterStandstill()).isFalse();
        assertThat(arrive(3, 9_000, 9_001).afterStandstill()).isFalse();
        assertThat(arrive(5, 20_000, 20_001).afterStandstill()).isFalse();
        assertThat(arrive(6, 20_100, 20_900).afterStandstill()).isFalse();
        assertThat(arrive(7, 20_200, 21_800).afterStandstill()).isFalse();
    }

    @Test
    void manyLostMessagesOfAHostThatSeldomTellsAreNoStandstill() {
        arrive(0, 0, 1);
        assertThat(arrive(20, 4_900, 4_901).afterStandstill()).isFalse();
        assertThat(arrive(40, 10_000, 10_001).afterStandstill()).isTrue();
    }

    @Test
    void aHostThatHadNothingToTellAndOfWhichTheFirstMessagesAreLostHasNotStoodStill() {
        arrive(0, 0, 1);
        assertThat(arrive(9, 20_000, 20_001, 900).afterStandstill()).isFalse();
        assertThat(arrive(30, 40_000, 40_001, 4_999).afterStandstill()).isFalse();
        assertThat(arrive(50, 60_000, 60_001, 5_000).afterStandstill()).isTrue();
    }

    @Test
    void aRunEndsWithAPauseAsLongAsAStandstill() {
        Postmark begun = Postmark.first(THERE);
        Postmark goesOn = begun.next(THERE + 4_999 * MILLI);
        assertThat(goesOn).isEqualTo(new Postmark(1, THERE + 4_999 * MILLI, 4_999 * MILLI));
        assertThat(goesOn.next(THERE + 9_999 * MILLI)).isEqualTo(new Postmark(2, THERE + 9_999 * MILLI, 0));
    }

    /** How long the next message was under way, sent and arrived so many milliseconds after a beginning. */
    private long underWay(long sent, long arrived) {
        return arrive(number++, sent, arrived).underWayNanos();
    }

    private Delivery arrive(long which, long sent, long arrived) {
        return arrive(which, sent, arrived, sent);
    }

    private Delivery arrive(long which, long sent, long arrived, long run) {
        return deliveries.arrived(ORIGIN, new Postmark(which, THERE + sent * MILLI, run * MILLI), arrived * MILLI);
    }
}
