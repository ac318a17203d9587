package io.ratelimit.core.explain;

import com.google.common.net.InetAddresses;
import io.ratelimit.RequestContext;
import io.ratelimit.core.rules.Printable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A request described in words, to be explained, such as
 *
 * <pre>{@code GET /api/orders user=alice ip=192.0.2.7 header:X-Api-Key=abc operation=export attribute:tier=gold}</pre>
 *
 * <p>First the method and the path, decoded and below the context path; then any of {@code user}, {@code ip} (the peer),
 * {@code operation}, {@code cost}, {@code header:NAME}, {@code cookie:NAME}, {@code query:NAME} (a parameter, decoded) and
 * {@code attribute:NAME}, each with {@code =} and a value. A header and a parameter may be given several times. A word with spaces stands in double quotes, in part or as a
 * whole ({@code user="Alice B"}), where {@code \"} is a quote and {@code \\} a backslash. Immutable and thread-safe;
 * {@link #toString()} tells method and path only, since the rest may hold secrets.
 */
public final class DescribedRequest implements RequestContext {

    private static final String FIELDS =
            "user, ip, operation, cost, header:NAME, cookie:NAME, query:NAME and attribute:NAME, each as NAME=VALUE";

    private final String method;
    private final String path;
    private final Map<String, String> plain = new HashMap<>();
    private final Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final Map<String, List<String>> parameters = new HashMap<>();
    private final Map<String, String> cookies = new HashMap<>();
    private final Map<String, String> attributes = new HashMap<>();
    private final long cost;

    private DescribedRequest(String method, String path, List<String> fields) {
        this.method = method;
        this.path = path;
        fields.forEach(this::take);
        String written = plain.get("cost");
        this.cost = written == null ? NO_COST : cost(written);
    }

    /**
     * Reads a description.
     *
     * @param text the request in words, as above
     * @return the request
     * @throws IllegalArgumentException if the text is none; the message says where and what would be right
     */
    public static DescribedRequest parse(String text) {
        List<String> words = new RequestWords(text).split();
        if (words.size() < 2) {
            throw new IllegalArgumentException(
                    "a request begins with a method and a path, such as GET /api/orders, not "
                            + Printable.quoted(text));
        }
        String path = words.get(1);
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException(
                    "the second word is the path and starts with '/', such as /api/orders, not "
                            + Printable.quoted(path));
        }
        if (path.contains("?")) {
            throw new IllegalArgumentException("the path " + Printable.quoted(path)
                    + " holds a '?': leave the query out and add what a cost is read from as query:NAME=VALUE");
        }
        return new DescribedRequest(words.get(0), path, words.subList(2, words.size()));
    }

    private void take(String field) {
        int equals = field.indexOf('=');
        if (equals < 1) {
            throw new IllegalArgumentException(
                    Printable.quoted(field) + " has no name and value; fields are " + FIELDS);
        }
        String name = field.substring(0, equals);
        String value = field.substring(equals + 1);
        int colon = name.indexOf(':');
        String kind = colon < 0 ? name : name.substring(0, colon);
        String detail = colon < 0 ? "" : name.substring(colon + 1);
        switch (kind) {
            case "header" -> add(headers, named(kind, detail), value);
            case "query" -> add(parameters, named(kind, detail), value);
            case "cookie" -> put(cookies, named(kind, detail), value, field);
            case "attribute" -> put(attributes, named(kind, detail), value, field);
            case "user", "ip", "operation", "cost" -> put(plain, plainName(name, kind), value, field);
            default ->
                throw new IllegalArgumentException(
                        "unknown field " + Printable.quoted(name) + "; fields are " + FIELDS);
        }
        if (kind.equals("ip") && !InetAddresses.isInetAddress(value)) {
            throw new IllegalArgumentException(
                    "ip is " + Printable.quoted(value) + ": it must be an address such as 192.0.2.7 or 2001:db8::1");
        }
    }

    private static String named(String kind, String detail) {
        if (detail.isBlank()) {
            throw new IllegalArgumentException("'" + kind + "' needs a name: " + kind + ":NAME=VALUE");
        }
        return detail;
    }

    private static String plainName(String name, String kind) {
        if (!name.equals(kind)) {
            throw new IllegalArgumentException("'" + kind + "' takes no name: write " + kind + "=VALUE");
        }
        return kind;
    }

    private static void add(Map<String, List<String>> values, String name, String value) {
        values.computeIfAbsent(name, ignored -> new ArrayList<>()).add(value);
    }

    private static void put(Map<String, String> values, String name, String value, String field) {
        if (values.putIfAbsent(name, value) != null) {
            throw new IllegalArgumentException(
                    Printable.quoted(field.substring(0, field.indexOf('='))) + " stands twice; keep one");
        }
    }

    private static long cost(String written) {
        try {
            long tokens = Long.parseLong(written);
            if (tokens >= 0) {
                return tokens;
            }
        } catch (NumberFormatException notANumber) {
            // Said below.
        }
        throw new IllegalArgumentException(
                "cost is " + Printable.quoted(written) + ": it must be a whole number of tokens, 0 or more");
    }

    @Override
    public String method() {
        return method;
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public @Nullable String operation() {
        return plain.get("operation");
    }

    @Override
    public long cost() {
        return cost;
    }

    @Override
    public @Nullable String peerAddress() {
        return plain.get("ip");
    }

    @Override
    public @Nullable String user() {
        return plain.get("user");
    }

    @Override
    public List<String> headers(String name) {
        return List.copyOf(headers.getOrDefault(name, List.of()));
    }

    @Override
    public @Nullable String cookie(String name) {
        return cookies.get(name);
    }

    @Override
    public @Nullable Object attribute(String name) {
        return attributes.get(name);
    }

    @Override
    public List<String> queryParameters(String name) {
        return List.copyOf(parameters.getOrDefault(name, List.of()));
    }

    /** Method and path, escaped. */
    @Override
    public String toString() {
        return Printable.escaped(method + " " + path);
    }
}
