package io.ratelimit.jaxrs;

import jakarta.ws.rs.core.PathSegment;
import jakarta.ws.rs.core.UriInfo;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The path by which JAX-RS chose the resource method. JAX-RS splits the raw path, cuts matrix parameters off each segment
 * and decodes last (JAX-RS 3.1, section 3.7.2 and {@link UriInfo#getPathSegments}); a servlet container's path can be
 * another one, as it resolves dot segments that JAX-RS takes for text.
 */
final class MatchedPath {

    private static final Pattern DOT_SEGMENT = Pattern.compile("/\\.\\.?(/|$)");

    private MatchedPath() {}

    /** Whether JAX-RS took for text what a servlet container in front has resolved. */
    static boolean keepsDotSegments(String path) {
        return DOT_SEGMENT.matcher(path).find();
    }

    /**
     * The path of a request, decoded but for slashes: {@code %2F} is part of a segment.
     *
     * @param prefix how much of the base path is left out: a context path as it was sent, or nothing
     */
    static String of(UriInfo uri, String prefix) {
        String base = String.valueOf(uri.getBaseUri().getRawPath());
        String below = base.startsWith(prefix) ? base.substring(prefix.length()) : base;
        List<String> own = Arrays.asList(below.split("/"));
        String raw = Stream.concat(
                        own.stream(), uri.getPathSegments(false).stream().map(PathSegment::getPath))
                .filter(segment -> !segment.isEmpty())
                .collect(Collectors.joining("/", "/", ""));
        return URI.create(raw.replace("%2F", "%252F").replace("%2f", "%252F")).getPath();
    }
}
