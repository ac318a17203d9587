package io.ratelimit.benchmarks.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Starts the servers for a few requests; the client checks every answer. */
class FilterRunTest {

    private static final FilterEffort LEAST = new FilterEffort(1, 0, 2, 64);

    private final FilterRun run = new FilterRun(LEAST, new PrintStream(new ByteArrayOutputStream()));

    @ParameterizedTest
    @EnumSource(Container.class)
    void everyVariantAnswersAndIsMeasured(Container container) throws Exception {
        assumeThat(ThreadTimes.canBeRead()).isTrue();

        List<FilterMeasurement> measured = run.measure(("filter." + container.title())::equals);

        assertThat(measured).extracting(FilterMeasurement::variant).isEqualTo(container.variants());
        assertThat(measured)
                .allSatisfy(one -> assertThat(one.rounds()).hasSize(2).allSatisfy(sample -> {
                    assertThat(sample.micros()).isGreaterThanOrEqualTo(sample.requestMicros());
                    assertThat(sample.requestMicros()).isPositive();
                    assertThat(sample.bytes()).isPositive();
                }));
    }

    @Test
    void startsNothingThatIsNotWanted() throws Exception {
        assertThat(run.measure(name -> false)).isEmpty();
    }
}
