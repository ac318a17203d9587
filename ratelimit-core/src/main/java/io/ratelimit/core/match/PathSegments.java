package io.ratelimit.core.match;

import java.util.ArrayList;
import java.util.List;

/**
 * Splits a path into the segments that the application maps: empty ones and {@code .} do not count, {@code ..} takes
 * the one before with it, path parameters are cut off (Jakarta Servlet 6.0, section 3.5.2). A container has done most
 * of it already; doing it again here leaves no spelling that reaches a resource past its limit.
 */
final class PathSegments {

    private PathSegments() {}

    static List<String> of(String path) {
        List<String> segments = new ArrayList<>();
        int start = 0;
        while (start <= path.length()) {
            int slash = path.indexOf('/', start);
            int end = slash < 0 ? path.length() : slash;
            add(segments, path, start, end);
            start = end + 1;
        }
        return segments;
    }

    private static void add(List<String> segments, String path, int start, int end) {
        int parameters = path.indexOf(';', start);
        String segment = path.substring(start, parameters < 0 || parameters > end ? end : parameters);
        if (segment.equals("..")) {
            if (!segments.isEmpty()) {
                segments.remove(segments.size() - 1);
            }
        } else if (!segment.isEmpty() && !segment.equals(".")) {
            segments.add(segment);
        }
    }
}
