package io.ratelimit.benchmarks.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class FilterMeasurementTest {

    @Test
    void differencesAreTakenRoundByRound() {
        FilterMeasurement none = measured(Variant.NONE, 10, 20, 30);
        FilterMeasurement ours = measured(Variant.OURS, 11, 21, 31);

        assertThat(ours.above(none, Sample::micros)).isEqualTo(new Quartiles(1, 1, 1));
        assertThat(ours.of(Sample::micros)).isEqualTo(new Quartiles(16, 21, 26));
    }

    @Test
    void variantsOfDifferentRoundsAreNotCompared() {
        FilterMeasurement none = measured(Variant.NONE, 10);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> measured(Variant.OURS, 11, 21).above(none, Sample::micros))
                .withMessageContainingAll("OURS", "NONE");
    }

    @Test
    void aSampleIsTheShareOfOneRequest() {
        ProcessorTime used = new ProcessorTime(9_000_000, 7_000_000).since(new ProcessorTime(1_000_000, 1_000_000));

        assertThat(Sample.of(used, 64_000, 1_000, 200)).isEqualTo(new Sample(8, 6, 64, 200));
    }

    private static FilterMeasurement measured(Variant variant, double... micros) {
        return new FilterMeasurement(
                Container.JETTY,
                variant,
                Arrays.stream(micros)
                        .mapToObj(each -> new Sample(each, each, 0, 200))
                        .toList());
    }
}
