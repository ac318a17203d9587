package io.ratelimit.benchmarks.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class AxisTest {

    @Test
    void equalRatiosAreEqualDistances() {
        Axis axis = Axis.logarithmic("hosts", 3, 10_000);
        assertThat(axis.ticks()).containsExactly(10.0, 100.0, 1_000.0, 10_000.0);
        assertThat(axis.part(100) - axis.part(10)).isCloseTo(axis.part(1_000) - axis.part(100), within(1e-9));
        assertThat(axis.part(3)).isPositive();
        assertThat(axis.part(10_000)).isLessThan(1);
    }

    @Test
    void betweenFewPowersOfTenThereAreTicks() {
        assertThat(Axis.logarithmic("bursts", 0.1, 0.9).ticks()).containsExactly(0.1, 0.2, 0.5, 1.0);
    }

    @Test
    void aLinearAxisHasATickAtEachStep() {
        Axis axis = Axis.linear("part", 0.95, 1.05, 0.05);
        assertThat(axis.ticks()).hasSize(3);
        assertThat(axis.part(1)).isCloseTo(0.5, within(1e-9));
        assertThat(axis.has(1.06)).isFalse();
    }

    @Test
    void valuesAreWrittenWithoutZerosThatSayNothing() {
        assertThat(Axis.written(10_000)).isEqualTo("10,000");
        assertThat(Axis.written(1.01)).isEqualTo("1.01");
        assertThat(Axis.written(0.1)).isEqualTo("0.1");
    }
}
