package io.ratelimit.core;

import io.ratelimit.RequestContext;
import io.ratelimit.core.http.QueryString;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request made by hand. */
public record TestRequest(
        String method,
        String path,
        @Nullable String operation,
        long cost,
        @Nullable String user,
        String peerAddress,
        Map<String, String> attributes,
        Map<String, String> headers,
        @Nullable String query)
        implements RequestContext {

    public static TestRequest get(String path) {
        return request("GET", path);
    }

    public static TestRequest request(String method, String path) {
        return new TestRequest(method, path, null, NO_COST, null, "192.0.2.1", Map.of(), Map.of(), null);
    }

    public TestRequest operation(String name) {
        return new TestRequest(method, path, name, cost, user, peerAddress, attributes, headers, query);
    }

    public TestRequest cost(long tokens) {
        return new TestRequest(method, path, operation, tokens, user, peerAddress, attributes, headers, query);
    }

    public TestRequest user(String name) {
        return new TestRequest(method, path, operation, cost, name, peerAddress, attributes, headers, query);
    }

    public TestRequest from(String address) {
        return new TestRequest(method, path, operation, cost, user, address, attributes, headers, query);
    }

    public TestRequest attribute(String name, String value) {
        return new TestRequest(method, path, operation, cost, user, peerAddress, Map.of(name, value), headers, query);
    }

    public TestRequest header(String name, String value) {
        Map<String, String> more = new HashMap<>(headers);
        more.put(name, value);
        return new TestRequest(method, path, operation, cost, user, peerAddress, attributes, more, query);
    }

    public TestRequest query(String raw) {
        return new TestRequest(method, path, operation, cost, user, peerAddress, attributes, headers, raw);
    }

    @Override
    public List<String> headers(String name) {
        String value = headers.get(name);
        return value == null ? List.of() : List.of(value);
    }

    @Override
    public List<String> queryParameters(String name) {
        return new QueryString(query).values(name);
    }

    @Override
    public @Nullable String cookie(String name) {
        return null;
    }

    @Override
    public @Nullable Object attribute(String name) {
        return attributes.get(name);
    }
}
