package io.ratelimit.benchmarks;

import java.io.IOException;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterAll;
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
        if (Boolean.getBoolean("spread"))
            System.err.println(path + " "
                    + java.util.Arrays.toString(java.util.Arrays.stream(COUNTED.eachOf(path))
                            .distinct()
                            .toArray()));

        BytecodeRecord.ofThisBuild().complaint(path, bytecodes).ifPresent(Assertions::fail);
    }

    @AfterAll
    static void writeFigures() throws IOException {
        MEASURED.write();
    }
}
