package io.ratelimit.benchmarks.filter;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * What a server with one variant of filter has cost, round by round.
 *
 * @param container where it was measured
 * @param variant which one
 * @param rounds the rounds, in the order in which all variants of the container went through them
 */
public record FilterMeasurement(Container container, Variant variant, List<Sample> rounds) {

    /** Copies the rounds. */
    public FilterMeasurement {
        rounds = List.copyOf(rounds);
    }

    /**
     * A figure of this variant.
     *
     * @param figure which one
     * @return its quartiles over the rounds
     */
    public Quartiles of(ToDoubleFunction<Sample> figure) {
        return Quartiles.of(rounds.stream().mapToDouble(figure));
    }

    /**
     * What a figure is above that of another variant. Both are taken from the same round, so that what the machine did
     * in it does not count.
     *
     * @param other the other variant
     * @param figure which figure
     * @return the quartiles of the differences
     */
    public Quartiles above(FilterMeasurement other, ToDoubleFunction<Sample> figure) {
        if (other.rounds.size() != rounds.size()) {
            throw new IllegalArgumentException("not the same rounds: " + variant + " and " + other.variant);
        }
        return Quartiles.of(IntStream.range(0, rounds.size())
                .mapToObj(round -> rounds.get(round).minus(other.rounds.get(round)))
                .mapToDouble(figure));
    }
}
