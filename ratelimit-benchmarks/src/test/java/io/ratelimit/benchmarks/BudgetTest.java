package io.ratelimit.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import org.junit.jupiter.api.Test;

class BudgetTest {

    @Test
    void aRatioIsTakenForEachNumberOfThreads() {
        Results results = results(
                measured("gcra", 1, 50, 0),
                measured("gcra", 2, 100, 0),
                measured("ours", 1, 60, 0),
                measured("ours", 2, 121, 0));

        assertThat(Budget.times(Group.HOT_ADMITTED, "ours", 1.2, "gcra").judge(results))
                .extracting(Verdict::place, Verdict::figure, Verdict::met)
                .containsExactly(
                        tuple("One hot key, admitted, 1 thread", 1.2, true),
                        tuple("One hot key, admitted, 2 threads", 1.21, false));
    }

    @Test
    void whatWasNotMeasuredIsNotJudged() {
        Budget budget = Budget.times(Group.HOT_ADMITTED, "ours", 1.2, "gcra");

        assertThat(budget.judge(results(measured("gcra", 1, 50, 0)))).isEmpty();
        assertThat(budget.judge(results(measured("ours", 1, 50, 0), measured("gcra", 2, 50, 0))))
                .isEmpty();
    }

    @Test
    void aTraceOfAByteIsNone() {
        assertThat(Budget.bytes(Group.HOT_ADMITTED, "ours", 0).judge(results(measured("ours", 1, 50, 0.3))))
                .singleElement()
                .matches(Verdict::met);
        assertThat(Budget.bytes(Group.HOT_ADMITTED, "ours", 0).judge(results(measured("ours", 1, 50, 16))))
                .singleElement()
                .matches(verdict -> !verdict.met());
    }

    @Test
    void bytesOfAPartDoNotCount() {
        Results results = results(measured("name", 1, 20, 56), measured("ours", 1, 50, 256));

        assertThat(Budget.bytesBeyond(Group.HOT_ADMITTED, "ours", 200, "name").judge(results))
                .singleElement()
                .matches(Verdict::met);
        assertThat(Budget.bytesBeyond(Group.HOT_ADMITTED, "ours", 199, "name").judge(results))
                .singleElement()
                .matches(verdict -> !verdict.met());
    }

    @Test
    void memoryHasOneBudgetForGrowingAndOneForSettled() {
        Results results = new Results(List.of(), List.of(new Footprint("ours", 1_000_000, 29, 35, 24)));

        assertThat(Budget.memory("ours", 28, 36).judge(results))
                .extracting(Verdict::place, Verdict::met)
                .containsExactly(tuple("settled", false), tuple("growing", true));
    }

    @Test
    void figuresAreWrittenWithTheDecimalsThatSaySomething() {
        assertThat(new Verdict("ours", "here", 3_217.4, 200, "bytes").measured())
                .isEqualTo("3217");
        assertThat(new Verdict("ours", "here", 100, 200, "bytes").measured()).isEqualTo("100");
        assertThat(new Verdict("ours", "here", 1.234, 1.2, "× gcra").measured()).isEqualTo("1.23");
        assertThat(new Verdict("ours", "here", 1.234, 1.2, "× gcra").budget()).isEqualTo("≤ 1.2 × gcra");
    }

    private static Results results(Measurement... measurements) {
        return new Results(List.of(measurements), List.of());
    }

    private static Measurement measured(String benchmark, int threads, double nanos, double bytes) {
        return new Measurement(Group.HOT_ADMITTED, benchmark, threads, nanos, 2, bytes, nanos);
    }
}
