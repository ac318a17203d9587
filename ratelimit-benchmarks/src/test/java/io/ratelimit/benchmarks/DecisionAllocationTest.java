package io.ratelimit.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.TimeSource;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DecisionAllocationTest {

    private static final MeasuredFigures MEASURED = new MeasuredFigures("decision-bytes.properties");

    private final AllocatedBytes allocated = new AllocatedBytes();
    private Object made;

    @ParameterizedTest
    @MethodSource("io.ratelimit.benchmarks.AllowedBytes#paths")
    void noPathAllocatesMoreThanItMay(GuardedPath path) throws Exception {
        long allowed = AllowedBytes.of(path);
        try (RunningPath running = path.start(TimeSource.system())) {
            long bytes = allocated.of(running, allowed);
            MEASURED.add(path, bytes);

            assertThat(bytes)
                    .withFailMessage(
                            "%s allocates %,d bytes, and may allocate %,d. Find what is made for each call; if it is"
                                    + " meant, change %s in AllowedBytes",
                            path.title(), bytes, allowed, path)
                    .isLessThanOrEqualTo(allowed);
        }
    }

    @Test
    void whatIsMadeIsMeasuredToTheByteAndNothingBesides() {
        int header = 16;
        assertThat(allocated.of(() -> {}, 0)).isZero();
        assertThat(allocated.of(() -> made = new byte[1_000 - header], 1_000)).isEqualTo(1_000);
    }

    @AfterAll
    static void writeFigures() throws IOException {
        MEASURED.write();
    }
}
