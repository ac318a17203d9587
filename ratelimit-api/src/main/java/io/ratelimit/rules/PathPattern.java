package io.ratelimit.rules;

import java.util.ArrayList;
import java.util.List;

/**
 * A pattern of whole path segments: {@code *} is any one segment, {@code **} any number of them, {@code {name}} one
 * segment with a name for the reader, which does not split the counter. Empty segments do not count.
 *
 * @param text the pattern as written
 * @param segments the pattern's segments, without slashes; a named segment stands as {@code *}
 */
public record PathPattern(String text, List<String> segments) {

    /** A segment that matches any one segment. */
    public static final String ANY_SEGMENT = "*";

    /** A segment that matches any number of segments. */
    public static final String ANY_SEGMENTS = "**";

    /** Copies the segments. */
    public PathPattern {
        segments = List.copyOf(segments);
    }

    /**
     * Reads a pattern.
     *
     * @param text a pattern that starts with {@code /}
     * @return the pattern
     * @throws IllegalArgumentException if the text is no pattern; the message says what would be right
     */
    public static PathPattern parse(String text) {
        if (!text.startsWith("/")) {
            throw new IllegalArgumentException("a path starts with '/', such as /api/**");
        }
        List<String> segments = new ArrayList<>();
        for (String segment : text.split("/", -1)) {
            if (!segment.isEmpty()) {
                segments.add(parseSegment(segment));
            }
        }
        return new PathPattern(text, segments);
    }

    private static String parseSegment(String segment) {
        if (segment.equals(ANY_SEGMENT) || segment.equals(ANY_SEGMENTS)) {
            return segment;
        }
        if (segment.matches("\\{[A-Za-z0-9_-]+}")) {
            return ANY_SEGMENT;
        }
        if (segment.contains("*") || segment.contains("{") || segment.contains("}")) {
            throw new IllegalArgumentException(
                    "'" + segment + "' mixes a wildcard with text; a segment is a plain text, '*', '**' or '{name}'");
        }
        if (segment.equals(".") || segment.equals("..")) {
            throw new IllegalArgumentException("'" + segment + "' never stands in a path that reaches the application");
        }
        if (segment.contains(";") || segment.contains("?") || segment.contains("#")) {
            throw new IllegalArgumentException("'" + segment
                    + "' holds ';', '?' or '#'; a path is matched without parameters, query and fragment");
        }
        return segment;
    }

    @Override
    public String toString() {
        return text;
    }
}
