package io.ratelimit.benchmarks.scale;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TallyTest {

    @Test
    void addsUpWhatThreadsDidAndComparesThem() {
        Tally tally = new Tally(List.of(600L, 300L), 1_000_000);

        assertThat(tally.perSecond()).isEqualTo(900_000);
        assertThat(tally.fairness()).isEqualTo(0.5);
    }

    @Test
    void givesTheMiddleRoundAndTheSpread() {
        List<Tally> rounds = List.of(
                new Tally(List.of(3L), 1_000_000_000),
                new Tally(List.of(1L), 1_000_000_000),
                new Tally(List.of(2L), 1_000_000_000));

        assertThat(Tally.addTo(Row.of(Section.HOT_KEY, "gcra"), rounds))
                .isEqualTo(Row.of(Section.HOT_KEY, "gcra")
                        .with(Figure.THREADS, 1)
                        .with(Figure.PER_SECOND, 2)
                        .with(Figure.LEAST_PER_SECOND, 1)
                        .with(Figure.MOST_PER_SECOND, 3)
                        .with(Figure.FAIRNESS, 1));
    }
}
