package io.ratelimit.benchmarks;

import io.ratelimit.benchmarks.filter.Container;
import io.ratelimit.benchmarks.filter.FilterMeasurement;
import io.ratelimit.benchmarks.filter.Sample;
import io.ratelimit.benchmarks.filter.Variant;
import java.util.List;
import java.util.Optional;

/** What the design promises of the servlet filter: the processor time that a request costs the server. */
final class FilterBudgets {

    /** What every variant is compared with: no filter. */
    static final Variant REFERENCE = Variant.NONE;

    private FilterBudgets() {}

    static List<Budget> all() {
        return List.of(
                most(Container.JETTY, 1, REFERENCE, "µs added"),
                most(Container.JETTY, 0, Variant.DOS_FILTER, "µs above doSFilter"),
                most(Container.TOMCAT, 1, REFERENCE, "µs added"),
                most(Container.TOMCAT, 0, Variant.RATE_LIMIT_FILTER, "µs above rateLimitFilter"));
    }

    /** Where a filter was measured, as verdicts and tables name it. */
    static String placeOf(Container container) {
        return "Servlet filter on " + container.title();
    }

    private static Budget most(Container container, double most, Variant other, String unit) {
        return results -> {
            Optional<FilterMeasurement> beside = results.filterOn(container, other);
            return results.filterOn(container, Variant.OURS).stream()
                    .flatMap(ours -> beside.stream().map(theirs -> ours.above(theirs, Sample::micros)))
                    .map(above -> new Verdict(Variant.OURS.title(), placeOf(container), above.median(), most, unit));
        };
    }
}
