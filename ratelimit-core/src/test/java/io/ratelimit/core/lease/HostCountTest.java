package io.ratelimit.core.lease;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HostCountTest {

    private static final long SETTLING = 30;

    private int hosts;
    private final HostCount count = new HostCount(() -> hosts, SETTLING, 100);

    @Test
    void nothingIsKnownUntilAllHaveHadTimeToHear() {
        assertThat(count.most(1_000)).isZero();
        hosts = 3;
        assertThat(count.most(1_000)).isZero();
        assertThat(count.most(1_029)).isZero();
        assertThat(count.isSettled(1_029)).isFalse();
        assertThat(count.most(1_030)).isEqualTo(3);
        assertThat(count.isSettled(1_030)).isTrue();
    }

    @Test
    void afterAChangeTheLargerNumberCountsForAWhile() {
        settleAt(3);
        hosts = 5;
        assertThat(count.most(2_000)).isEqualTo(5);
        assertThat(count.isSettled(2_000)).isFalse();
        hosts = 2;
        assertThat(count.most(2_010)).isEqualTo(5);
        assertThat(count.most(2_039)).isEqualTo(5);
        assertThat(count.most(2_040)).isEqualTo(2);
    }

    @Test
    void whatIsNotKnownForAMomentIsNoReasonToForgetWhatWas() {
        settleAt(3);
        hosts = 0;
        assertThat(count.most(2_000)).isZero();
        hosts = 1;
        assertThat(count.most(2_010)).isEqualTo(3);
        assertThat(count.most(2_040)).isEqualTo(1);
    }

    private void settleAt(int number) {
        hosts = number;
        count.most(1_000);
        assertThat(count.most(1_000 + SETTLING)).isEqualTo(number);
    }
}
