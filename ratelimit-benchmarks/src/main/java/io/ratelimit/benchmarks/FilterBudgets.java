package io.ratelimit.benchmarks;

import io.ratelimit.benchmarks.filter.Container;
import io.ratelimit.benchmarks.filter.FilterMeasurement;
import io.ratelimit.benchmarks.filter.Sample;
import java.util.List;
import java.util.Optional;

/** What the design promises of the servlet filter: the processor time that a request costs the server. */
final class FilterBudgets {

    /** What every variant is compared with: no filter. */
    static final String REFERENCE = "none";

    private static final String OURS = "ours";

    private FilterBudgets() {}

    static List<Budget> all() {
        return List.of(
                most(Container.JETTY, 1, REFERENCE, "µs added"),
                most(Container.JETTY, 0, "doSFilter", "µs above doSFilter"),
                most(Container.TOMCAT, 1, REFERENCE, "µs added"),
                most(Container.TOMCAT, 0, "rateLimitFilter", "µs above rateLimitFilter"));
    }

    /** Where a filter was measured, as verdicts and tables name it. */
    static String placeOf(Container container) {
        return "Servlet filter on " + container.title();
    }

    private static Budget most(Container container, double most, String other, String unit) {
        return results -> {
            Optional<FilterMeasurement> beside = results.filterOn(container, other);
            return results.filterOn(container, OURS).stream()
                    .flatMap(ours -> beside.stream().map(theirs -> ours.above(theirs, Sample::micros)))
                    .map(above -> new Verdict(OURS, placeOf(container), above.median(), most, unit));
        };
    }
}
