package io.ratelimit.core.match;

import io.ratelimit.rules.PathPattern;
import java.util.Comparator;
import java.util.List;

/**
 * Orders patterns that match the same path, the more general first: segment by segment from the left, a text is more
 * specific than {@code *}, that than the pattern's end, and that than {@code **}, which may stand for nothing.
 */
final class PathSpecificity implements Comparator<PathPattern> {

    private static final int TEXT = 3;
    private static final int ANY_SEGMENT = 2;
    private static final int END = 1;
    private static final int ANY_SEGMENTS = 0;

    @Override
    public int compare(PathPattern left, PathPattern right) {
        int longest = Math.max(left.segments().size(), right.segments().size());
        for (int i = 0; i < longest; i++) {
            int difference = Integer.compare(rank(left.segments(), i), rank(right.segments(), i));
            if (difference != 0) {
                return difference;
            }
        }
        return 0;
    }

    private static int rank(List<String> segments, int index) {
        if (index >= segments.size()) {
            return END;
        }
        return switch (segments.get(index)) {
            case PathPattern.ANY_SEGMENTS -> ANY_SEGMENTS;
            case PathPattern.ANY_SEGMENT -> ANY_SEGMENT;
            default -> TEXT;
        };
    }
}
