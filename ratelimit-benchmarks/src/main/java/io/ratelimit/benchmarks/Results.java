package io.ratelimit.benchmarks;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a run measured.
 *
 * @param measurements the benchmarks, in the order of the report
 * @param footprints the tables
 */
record Results(List<Measurement> measurements, List<Footprint> footprints) {

    Results {
        measurements = List.copyOf(measurements);
        footprints = List.copyOf(footprints);
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

    Optional<Footprint> footprintOf(String table) {
        return footprints.stream().filter(other -> other.table().equals(table)).findFirst();
    }
}
