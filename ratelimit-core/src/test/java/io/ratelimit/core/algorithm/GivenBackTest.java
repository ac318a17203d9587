package io.ratelimit.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A line of charges of 10 units each, made at time 0: the first leaves the state at 10, the second at 20. */
class GivenBackTest {

    private static final long FULL = 0;

    @Test
    void whoStandsBehindMovesUpAndWhoStandsBeforeDoesNot() {
        GivenBack second = GivenBack.NOTHING.plus(20, 0, 10, FULL);
        assertThat(second.total()).isEqualTo(10);
        assertThat(second.before(10, 0)).isZero();
        assertThat(second.before(30, 0)).isEqualTo(10);
    }

    @Test
    void whatWasGivenBackBeforeAChargeDoesNotMoveIt() {
        GivenBack first = GivenBack.NOTHING.plus(10, 0, 10, FULL);
        // The third charge leaves 20 where it would have left 30.
        assertThat(first.before(20, first.total())).isZero();
        GivenBack both = first.plus(20, 0, 10, FULL);
        assertThat(both.before(20, first.total())).isEqualTo(10);
    }

    @Test
    void ofALineThatIsGivenBackInAnyOrderEachMovesByThoseBefore() {
        GivenBack known = GivenBack.NOTHING;
        for (int charge : new int[] {4, 1, 7, 3, 2}) {
            known = known.plus(charge * 10L, 0, 10, FULL);
        }
        // By themselves and those before: the first by its own place, the fifth by the first four.
        long[] moved = {10, 20, 30, 40, 40, 40, 50, 50};
        for (int charge = 1; charge <= 8; charge++) {
            assertThat(known.before(charge * 10L, 0)).isEqualTo(moved[charge - 1]);
        }
    }

    @Test
    void partsOfOneChargeAreOneGap() {
        GivenBack parts = GivenBack.NOTHING.plus(20, 0, 4, FULL).plus(20, 0, 6, FULL);
        assertThat(parts.total()).isEqualTo(10);
        assertThat(parts.before(30, 0)).isEqualTo(10);
        assertThat(parts.before(10, 0)).isZero();
    }

    @Test
    void gapsWhosePlaceHasComeBackAreForgottenAndCountForAll() {
        GivenBack second = GivenBack.NOTHING.plus(20, 0, 10, FULL);
        GivenBack later = second.plus(50, 0, 10, 15);
        assertThat(later.before(60, 0)).isEqualTo(20);
        assertThat(later.before(40, 0)).isEqualTo(10);
    }

    @Test
    void ofVeryManyGapsTheFirstIsForgottenAndNobodyGetsMoreForIt() {
        GivenBack known = GivenBack.NOTHING;
        for (int charge = 2; charge <= 200; charge += 2) {
            known = known.plus(charge * 10L, 0, 10, FULL);
        }
        assertThat(known.total()).isEqualTo(1_000);
        assertThat(known.before(2_010, 0)).isEqualTo(1_000);
        assertThat(known.before(1_990, 0)).isEqualTo(990);
        // Fewer lie before it, in truth none.
        assertThat(known.before(10, 0)).isBetween(0L, 1_000L - 64 * 10);
    }

    @Test
    void placesAreComparedOnACircle() {
        long nearTheEnd = Long.MAX_VALUE - 15;
        GivenBack known = GivenBack.NOTHING.plus(nearTheEnd + 10, 0, 10, nearTheEnd);
        assertThat(known.before(nearTheEnd + 30, 0)).isEqualTo(10);
        assertThat(known.before(nearTheEnd, 0)).isZero();
    }
}
