package io.ratelimit.benchmarks.scale;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Everything that is planned runs, with so few clients that its figures say nothing. */
class ScalePlanTest {

    static Stream<ScalePlan.Planned> planned() {
        return ScalePlan.of(ScaleEffort.LEAST).stream();
    }

    @ParameterizedTest
    @MethodSource("planned")
    void everyTrialFillsColumnsOfItsTable(ScalePlan.Planned planned) throws InterruptedException {
        List<Row> rows = planned.trial().measure();

        assertThat(rows)
                .isNotEmpty()
                .allSatisfy(row -> assertThat(row.section().columns())
                        .containsAnyElementsOf(row.figures().keySet()));
    }

    @Test
    void namesAreUnique() {
        assertThat(planned().map(ScalePlan.Planned::name)).doesNotHaveDuplicates();
    }
}
