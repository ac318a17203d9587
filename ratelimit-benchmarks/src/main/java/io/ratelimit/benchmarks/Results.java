package io.ratelimit.benchmarks;

import io.ratelimit.benchmarks.filter.Container;
import io.ratelimit.benchmarks.filter.FilterMeasurement;
import io.ratelimit.benchmarks.filter.Variant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a run measured.
 *
 * @param measurements the benchmarks, in the order of the report
 * @param footprints the tables
 * @param filters the servlet filters
 */
record Results(List<Measurement> measurements, List<Footprint> footprints, List<FilterMeasurement> filters) {

    Results {
        measurements = List.copyOf(measurements);
        footprints = List.copyOf(footprints);
        filters = List.copyOf(filters);
    }

    Results(List<Measurement> measurements, List<Footprint> footprints) {
        this(measurements, footprints, List.of());
    }

    Stream<Measurement> of(Group group) {
        return measurements.stream().filter(measured -> measured.group() == group);
    }

    /** Another benchmark, measured beside one: of the same group, with as many threads. */
    Optional<Measurement> beside(Measurement measured, String benchmark) {
        return of(measured.group())
                .filter(other -> other.threads() == measured.threads()
                        && other.benchmark().equals(benchmark))
                .findFirst();
    }

    Stream<FilterMeasurement> filtersOn(Container container) {
        return filters.stream().filter(measured -> measured.container() == container);
    }

    Optional<FilterMeasurement> filterOn(Container container, Variant variant) {
        return filtersOn(container)
                .filter(measured -> measured.variant() == variant)
                .findFirst();
    }

    Optional<Footprint> footprintOf(String table) {
        return footprints.stream().filter(other -> other.table().equals(table)).findFirst();
    }
}
