package io.ratelimit.client;

import io.ratelimit.RequestContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What of a request a daemon is told beside method, path, operation, cost, address and user: names alone, for a request does
 * not list what it has, and much of that is none of the daemon's business.
 *
 * @param headers names of headers
 * @param cookies names of cookies
 * @param attributes names of attributes
 * @param queryParameters names of parameters of the query
 */
record SentFields(List<String> headers, List<String> cookies, List<String> attributes, List<String> queryParameters) {

    /** Nothing. */
    static final SentFields NONE = new SentFields(List.of(), List.of(), List.of(), List.of());

    /** Copies the lists. */
    SentFields {
        headers = List.copyOf(headers);
        cookies = List.copyOf(cookies);
        attributes = List.copyOf(attributes);
        queryParameters = List.copyOf(queryParameters);
    }

    /** Reads all that is told of a request, so that it need not be looked at later, on another thread. */
    SentRequest of(RequestContext request) {
        Map<String, List<String>> lines = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        lines.putAll(lists(headers, request::headers));
        return new SentRequest(
                request.method(),
                rooted(request.path()),
                request.operation(),
                request.cost(),
                PeerAddress.of(request.peerAddress()),
                request.user(),
                lines,
                values(cookies, request::cookie),
                values(attributes, request::attribute),
                lists(queryParameters, request::queryParameters));
    }

    /** As containers spell paths; to rules it is the same path without the slash. */
    private static String rooted(String path) {
        return path.startsWith("/") ? path : "/" + path;
    }

    private static Map<String, List<String>> lists(List<String> names, Function<String, List<String>> read) {
        Map<String, List<String>> found = new LinkedHashMap<>();
        for (String name : names) {
            List<String> values = List.copyOf(read.apply(name));
            if (!values.isEmpty()) {
                found.put(name, values);
            }
        }
        return found;
    }

    private static <T> Map<String, T> values(List<String> names, Function<String, @Nullable T> read) {
        Map<String, T> found = new LinkedHashMap<>();
        for (String name : names) {
            T value = read.apply(name);
            if (value != null) {
                found.put(name, value);
            }
        }
        return found;
    }
}
