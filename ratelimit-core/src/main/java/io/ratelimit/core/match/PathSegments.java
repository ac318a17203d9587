package io.ratelimit.core.match;

import java.util.ArrayList;
import java.util.List;

/**
 * Splits a path into the segments that the application maps; empty ones do not count. What maps the request has decoded
 * the path before, has resolved what it takes for dot segments and has cut path parameters off (Jakarta Servlet 6.0,
 * section 3.5.2). A {@code ;} or {@code ..} that is left is text of a segment, sent as {@code %3B}, say: to read it a
 * second time would lead to another path than the one that runs.
 */
final class PathSegments {

    private PathSegments() {}

    static List<String> of(String path) {
        List<String> segments = new ArrayList<>();
        int start = 0;
        while (start < path.length()) {
            int slash = path.indexOf('/', start);
            int end = slash < 0 ? path.length() : slash;
            if (end > start) {
                segments.add(path.substring(start, end));
            }
            start = end + 1;
        }
        return segments;
    }
}
