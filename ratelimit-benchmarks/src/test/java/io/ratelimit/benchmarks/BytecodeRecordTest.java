package io.ratelimit.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Properties;
import org.junit.jupiter.api.Test;

class BytecodeRecordTest {

    private static final GuardedPath PATH = GuardedPath.TWO_LIMITS_ADMITTED;

    @Test
    void aCountWithinFifteenPercentOfTheRecordIsFine() {
        assertThat(record("1000").complaint(PATH, 1_150)).isEmpty();
        assertThat(record("1000").complaint(PATH, 850)).isEmpty();
    }

    @Test
    void aCountThatIsFurtherAboveNamesBothFiguresAndWhatToRecordIfItIsMeant() {
        assertThat(record("1028").complaint(PATH, 1_234))
                .contains("A request that passes two limits takes 1,234 bytecodes, 20 % more than the 1,028 that are"
                        + " recorded in src/test/resources/io/ratelimit/benchmarks/decision-cost.properties. If that is"
                        + " meant, record it: two-limits-admitted = 1234");
    }

    @Test
    void aCountThatIsFurtherBelowIsToBeRecorded() {
        assertThat(record("1000").complaint(PATH, 849))
                .contains("A request that passes two limits takes 849 bytecodes, 15 % fewer than the 1,000 that are"
                        + " recorded in src/test/resources/io/ratelimit/benchmarks/decision-cost.properties. Record it,"
                        + " so that it stays so: two-limits-admitted = 849");
    }

    @Test
    void aPathWithoutARecordIsToBeRecorded() {
        assertThat(new BytecodeRecord(new Properties()).complaint(PATH, 849))
                .contains("A request that passes two limits takes 849 bytecodes, and none are recorded in"
                        + " src/test/resources/io/ratelimit/benchmarks/decision-cost.properties. Add"
                        + " two-limits-admitted = 849");
    }

    private static BytecodeRecord record(String figure) {
        Properties recorded = new Properties();
        recorded.setProperty("two-limits-admitted", figure);
        return new BytecodeRecord(recorded);
    }
}
