package io.ratelimit.benchmarks.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SharesTest {

    @ParameterizedTest
    @EnumSource
    void eachIsChosenAsOftenAsItsShareSays(Skew skew) {
        Shares shares = new Shares(skew, 20);
        int[] chosen = new int[20];
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 200_000; i++) {
            chosen[shares.next(random)]++;
        }
        for (int i = 0; i < 20; i++) {
            assertThat(chosen[i] / 200_000.0).isCloseTo(shares.of(i), within(0.005));
        }
    }

    @ParameterizedTest
    @EnumSource
    void oneAloneGetsAll(Skew skew) {
        assertThat(new Shares(skew, 1).of(0)).isEqualTo(1);
    }

    @Test
    void oneGetsNineTenths() {
        assertThat(new Shares(Skew.ONE, 5).of(0)).isCloseTo(0.9, within(1e-9));
    }
}
