package io.ratelimit.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DecisionBytecodesTest {

    private static final MeasuredFigures MEASURED = new MeasuredFigures(BytecodeRecord.NAME);
    private static final CountedBytecodes COUNTED = new CountedBytecodes();

    @ParameterizedTest
    @EnumSource(GuardedPath.class)
    void everyPathTakesAboutTheBytecodesThatAreRecorded(GuardedPath path) throws Exception {
        long bytecodes = COUNTED.of(path);
        MEASURED.add(path, bytecodes);

        BytecodeRecord.ofThisBuild().complaint(path, bytecodes).ifPresent(Assertions::fail);
    }

    @Test
    void nearlyEveryCallTakesExactlyTheSame() throws Exception {
        long[] counts = COUNTED.eachOf(GuardedPath.TWO_LIMITS_ADMITTED);
        long usual = COUNTED.of(GuardedPath.TWO_LIMITS_ADMITTED);

        assertThat(Arrays.stream(counts).filter(count -> count == usual)).hasSizeGreaterThan(counts.length * 9 / 10);
    }

    @AfterAll
    static void writeFigures() throws IOException {
        MEASURED.write();
    }
}
