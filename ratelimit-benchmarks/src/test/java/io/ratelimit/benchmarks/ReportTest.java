package io.ratelimit.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.benchmarks.filter.Container;
import io.ratelimit.benchmarks.filter.FilterMeasurement;
import io.ratelimit.benchmarks.filter.Sample;
import io.ratelimit.benchmarks.filter.Variant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportTest {

    private static final List<Fact> FACTS = List.of(new Fact("JDK", "17"), new Fact("machine", "2 × CPU"));

    private static final Measurement GCRA = measured("gcra", 1, 50);
    private static final Measurement STORE = measured("ourStore", 1, 100);

    @Test
    void saysWhatItRanOn() {
        assertThat(report(List.of())).startsWith("""
                | run | |
                | --- | --- |
                | JDK | 17 |
                | machine | 2 × CPU |
                """);
    }

    @Test
    void givesEachBenchmarkAsAMultipleOfTheReferenceOfItsGroup() {
        assertThat(report(List.of(), GCRA, STORE)).contains("""
                ### One hot key, admitted

                | benchmark | threads | ns/op | ± | × gcra | B/op | cpu ns/op | budgets |
                | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |
                | `gcra` | 1 | 50.0 | 2.0 | 1.00 | 64 | 51.0 |  |
                | `ourStore` | 1 | 100 | 2.0 | 2.00 | 64 | 101 |  |
                """);
    }

    @Test
    void comparesOnlyWhatRanWithAsManyThreads() {
        String report = report(List.of(), GCRA, measured("gcra", 2, 400), measured("ourStore", 2, 200));

        assertThat(report).contains("| `ourStore` | 2 | 200 | 2.0 | 0.50 |");
    }

    @Test
    void leavesTheRatioOutWhereTheReferenceWasNotMeasured() {
        assertThat(report(List.of(), STORE)).contains("| `ourStore` | 1 | 100 | 2.0 |  | 64 |");
    }

    @Test
    void leavesGroupsOutThatWereNotMeasured() {
        assertThat(report(List.of(), GCRA)).doesNotContain("refused", "rules", "Memory", "Budgets");
    }

    @Test
    void saysBesideTheBenchmarkAndInAListOfItsOwnWhichBudgetsAreMet() {
        String report = report(
                List.of(
                        Budget.times(Group.HOT_ADMITTED, "ourStore", 1.2, "gcra"),
                        Budget.bytes(Group.HOT_ADMITTED, "ourStore", 64)),
                GCRA,
                STORE);

        assertThat(report)
                .contains("| 2.00 | 64 | 101 | ≤ 1.2 × gcra: **not met**; ≤ 64 bytes: met |\n")
                .endsWith("""
                        ### Budgets

                        | what | where | budget | measured | verdict |
                        | --- | --- | --- | ---: | --- |
                        | `ourStore` | One hot key, admitted, 1 thread | ≤ 1.2 × gcra | 2 | **not met** |
                        | `ourStore` | One hot key, admitted, 1 thread | ≤ 64 bytes | 64 | met |

                        Met: 1 of 2.
                        """);
    }

    @Test
    void showsTheMemoryOfTables() {
        Results results = new Results(
                List.of(),
                List.of(
                        new Footprint("ourStore", 1_000_000, 27.6, 40.2, 27.4),
                        new Footprint("bucket4jInMap", 1_000_000, 415, 430, 412)));

        assertThat(new Report(FACTS, results, List.of(Budget.memory("ourStore", 28, 36))).toMarkdown())
                .contains("""
                ### Memory for each active client, key included

                | table | clients | heap bytes | most while growing | bytes of objects | budgets |
                | --- | ---: | ---: | ---: | ---: | --- |
                | `ourStore` | 1,000,000 | 28 | 40 | 27 | ≤ 28 bytes: met; ≤ 36 bytes: **not met** |
                | `bucket4jInMap` | 1,000,000 | 415 | 430 | 412 |  |
                """);
    }

    @Test
    void saysWhatAFilterAddsToNone() {
        Results results = new Results(
                List.of(),
                List.of(),
                List.of(
                        new FilterMeasurement(
                                Container.JETTY,
                                Variant.NONE,
                                List.of(
                                        new Sample(10, 9, 500, 200),
                                        new Sample(20, 19, 500, 200),
                                        new Sample(12, 11, 500, 200))),
                        new FilterMeasurement(
                                Container.JETTY,
                                Variant.OURS,
                                List.of(
                                        new Sample(12, 10, 900, 203),
                                        new Sample(23, 20, 900, 205),
                                        new Sample(16, 12, 900, 201)))));

        assertThat(new Report(FACTS, results, FilterBudgets.all()).toMarkdown())
                .contains("""
                ### Servlet filter on Jetty

                | filter | rounds | cpu µs/request | added | half of the rounds | added in request threads | B/request | added B | p99 µs | added to p99 | budgets |
                | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |
                | `none` | 3 | 12.00 | 0.00 | 0.00 to 0.00 | 0.00 | 500 | 0 | 200.00 | 0.00 |  |
                | `ours` | 3 | 16.00 | 3.00 | 2.50 to 3.50 | 1.00 | 900 | 400 | 203.00 | 3.00 | ≤ 1 µs added: **not met** |
                """)
                .doesNotContain("Tomcat");
    }

    @Test
    void anErrorThatCannotBeKnownIsAQuestionMark() {
        Measurement once = new Measurement(Group.HOT_ADMITTED, "gcra", 1, 50, Double.NaN, 0.0001, 50);

        assertThat(report(List.of(), once)).contains("| `gcra` | 1 | 50.0 | ? | 1.00 | 0 | 50.0 |  |");
    }

    private static String report(List<Budget> budgets, Measurement... measurements) {
        return new Report(FACTS, new Results(List.of(measurements), List.of()), budgets).toMarkdown();
    }

    private static Measurement measured(String benchmark, int threads, double nanos) {
        return new Measurement(Group.HOT_ADMITTED, benchmark, threads, nanos, 2, 64, nanos + 1);
    }
}
