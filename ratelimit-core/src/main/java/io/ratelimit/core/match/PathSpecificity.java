package io.ratelimit.core.match;

import io.ratelimit.rules.PathPattern;
import java.util.Comparator;
import java.util.List;

/**
 * Orders patterns that match the same path, the more general first: segment by segment from the left, a text is more
 * specific than {@code *}, that than {@code **}; then the longer pattern is.
 */
final class PathSpecificity implements Comparator<PathPattern> {

    @Override
    public int compare(PathPattern left, PathPattern right) {
        List<String> lefts = left.segments();
        List<String> rights = right.segments();
        for (int i = 0; i < Math.min(lefts.size(), rights.size()); i++) {
            int difference = Integer.compare(rank(lefts.get(i)), rank(rights.get(i)));
            if (difference != 0) {
                return difference;
            }
        }
        return Integer.compare(lefts.size(), rights.size());
    }

    private static int rank(String segment) {
        return switch (segment) {
            case PathPattern.ANY_SEGMENTS -> 0;
            case PathPattern.ANY_SEGMENT -> 1;
            default -> 2;
        };
    }
}
