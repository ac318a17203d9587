package io.ratelimit.benchmarks;

import java.util.OptionalDouble;
import java.util.stream.Stream;

/** What the design promises of speed or memory. Immutable. */
interface Budget {

    /** Judges all that was measured under this budget; nothing where it was not measured, or nothing beside it. */
    Stream<Verdict> judge(Results results);

    /** A benchmark takes at most so many times as long as another one. */
    static Budget times(Group group, String benchmark, double most, String reference) {
        return of(
                group,
                benchmark,
                most,
                "× " + reference,
                (measured, results) -> results.beside(measured, reference)
                        .map(other -> OptionalDouble.of(measured.nanos() / other.nanos()))
                        .orElseGet(OptionalDouble::empty));
    }

    /** A benchmark allocates at most so many bytes for an operation. */
    static Budget bytes(Group group, String benchmark, double most) {
        return of(
                group, benchmark, most, "bytes", (measured, results) -> OptionalDouble.of(Math.rint(measured.bytes())));
    }

    /** A benchmark allocates at most so many bytes for an operation beyond those of another one that is part of it. */
    static Budget bytesBeyond(Group group, String benchmark, double most, String part) {
        return of(
                group,
                benchmark,
                most,
                "bytes beyond " + part,
                (measured, results) -> results.beside(measured, part)
                        .map(other -> OptionalDouble.of(Math.max(0, Math.rint(measured.bytes() - other.bytes()))))
                        .orElseGet(OptionalDouble::empty));
    }

    /** A table takes at most so many bytes for a client: all the time, and once it has grown. */
    static Budget memory(String table, double most, double mostWhileGrowing) {
        return results -> results.footprintOf(table).stream()
                .flatMap(measured -> Stream.of(
                        new Verdict(table, "settled", measured.heapBytes(), most, "bytes"),
                        new Verdict(table, "growing", measured.growingBytes(), mostWhileGrowing, "bytes")));
    }

    private static Budget of(Group group, String benchmark, double most, String unit, Figure figure) {
        return results -> results.of(group)
                .filter(measured -> measured.benchmark().equals(benchmark))
                .flatMap(measured -> figure.of(measured, results).stream()
                        .mapToObj(value -> new Verdict(benchmark, placeOf(measured), value, most, unit)));
    }

    /** Where a benchmark was measured, as verdicts and tables name it. */
    static String placeOf(Measurement measured) {
        return measured.group().title() + ", " + threads(measured.threads());
    }

    private static String threads(int threads) {
        return threads == 1 ? "1 thread" : threads + " threads";
    }

    /** What a budget looks at. */
    interface Figure {
        OptionalDouble of(Measurement measured, Results results);
    }
}
