package io.ratelimit.core.http;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Chooses the form of a body by {@code Accept} (RFC 9110 section 12.5.1): of the ranges that cover a type the most
 * specific counts, and the type with the greater weight wins. A type like {@code application/problem+json} is JSON, so
 * that a client that accepts JSON accepts it.
 */
final class AcceptedType {

    private AcceptedType() {}

    /** The type that the client likes best, the first of several; empty where none is acceptable. */
    static Optional<String> choose(List<String> acceptLines, List<String> types) {
        if (acceptLines.isEmpty()) {
            return types.stream().findFirst();
        }
        List<WeightedRange> ranges = WeightedRange.parse(acceptLines);
        String best = null;
        double bestWeight = 0;
        for (String type : types) {
            double weight = weight(ranges, covering(type));
            if (weight > bestWeight) {
                best = type;
                bestWeight = weight;
            }
        }
        return Optional.ofNullable(best);
    }

    private static double weight(List<WeightedRange> ranges, List<String> covering) {
        for (String cover : covering) {
            for (WeightedRange range : ranges) {
                if (range.range().equals(cover)) {
                    return range.weight();
                }
            }
        }
        return 0;
    }

    /** The ranges that cover a type, the most specific first. */
    private static List<String> covering(String type) {
        String bare = type.split(";", -1)[0].strip().toLowerCase(Locale.ROOT);
        String anySubtype = bare.substring(0, bare.indexOf('/') + 1) + "*";
        return bare.endsWith("+json")
                ? List.of(bare, "application/json", anySubtype, "*/*")
                : List.of(bare, anySubtype, "*/*");
    }
}
