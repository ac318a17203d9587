package io.ratelimit.benchmarks.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class LatenciesTest {

    private static final Offset<Double> DIGITS = within(0.02);

    @Test
    void namesTheMiddleCallAndTheSlowOnes() {
        Latencies latencies = new Latencies();
        for (int i = 0; i < 990; i++) {
            latencies.add(1_000);
        }
        for (int i = 0; i < 10; i++) {
            latencies.add(9_000);
        }

        Row row = latencies.row("ourStore", 1_000_000);

        assertThat(row.figure(Figure.CALLS)).hasValue(1_000);
        assertThat(row.figure(Figure.CALLS_PER_SECOND)).hasValue(1_000_000);
        assertThat(row.figure(Figure.MEDIAN).orElseThrow()).isCloseTo(1, DIGITS);
        assertThat(row.figure(Figure.P99).orElseThrow()).isCloseTo(1, DIGITS);
        assertThat(row.figure(Figure.P999).orElseThrow()).isCloseTo(9, DIGITS);
        assertThat(row.figure(Figure.MAX).orElseThrow()).isCloseTo(9, DIGITS);
    }
}
