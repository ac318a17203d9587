package io.ratelimit.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.ratelimit.benchmarks.filter.Container;
import io.ratelimit.benchmarks.filter.FilterMeasurement;
import io.ratelimit.benchmarks.filter.Sample;
import io.ratelimit.benchmarks.filter.Variant;
import java.util.List;
import org.junit.jupiter.api.Test;

class FilterBudgetsTest {

    @Test
    void ourFilterIsComparedWithNoneAndWithThatOfTheContainer() {
        assertThat(verdicts(
                        measured(Container.JETTY, Variant.NONE, 20),
                        measured(Container.JETTY, Variant.OURS, 20.75),
                        measured(Container.JETTY, Variant.DOS_FILTER, 21.25)))
                .extracting(Verdict::place, Verdict::budget, Verdict::figure, Verdict::met)
                .containsExactly(
                        tuple("Servlet filter on Jetty", "≤ 1 µs added", 0.75, true),
                        tuple("Servlet filter on Jetty", "≤ 0 µs above doSFilter", -0.5, true));
    }

    @Test
    void aBudgetThatIsExceededIsNotMet() {
        assertThat(verdicts(
                        measured(Container.TOMCAT, Variant.NONE, 20),
                        measured(Container.TOMCAT, Variant.OURS, 22),
                        measured(Container.TOMCAT, Variant.RATE_LIMIT_FILTER, 21.5)))
                .extracting(Verdict::figure, Verdict::met)
                .containsExactly(tuple(2.0, false), tuple(0.5, false));
    }

    @Test
    void whatWasNotMeasuredIsNotJudged() {
        assertThat(verdicts(measured(Container.JETTY, Variant.NONE, 20))).isEmpty();
        assertThat(verdicts(measured(Container.JETTY, Variant.OURS, 20), measured(Container.TOMCAT, Variant.NONE, 20)))
                .isEmpty();
    }

    private static List<Verdict> verdicts(FilterMeasurement... measured) {
        Results results = new Results(List.of(), List.of(), List.of(measured));
        return FilterBudgets.all().stream()
                .flatMap(budget -> budget.judge(results))
                .toList();
    }

    private static FilterMeasurement measured(Container container, Variant variant, double micros) {
        return new FilterMeasurement(container, variant, List.of(new Sample(micros, micros, 0, 200)));
    }
}
