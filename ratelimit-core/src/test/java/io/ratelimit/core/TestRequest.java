package io.ratelimit.core;

import io.ratelimit.RequestContext;
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
        Map<String, String> attributes)
        implements RequestContext {

    public static TestRequest get(String path) {
        return request("GET", path);
    }

    public static TestRequest request(String method, String path) {
        return new TestRequest(method, path, null, NO_COST, null, "192.0.2.1", Map.of());
    }

    public TestRequest operation(String name) {
        return new TestRequest(method, path, name, cost, user, peerAddress, attributes);
    }

    public TestRequest cost(long tokens) {
        return new TestRequest(method, path, operation, tokens, user, peerAddress, attributes);
    }

    public TestRequest user(String name) {
        return new TestRequest(method, path, operation, cost, name, peerAddress, attributes);
    }

    public TestRequest from(String address) {
        return new TestRequest(method, path, operation, cost, user, address, attributes);
    }

    public TestRequest attribute(String name, String value) {
        return new TestRequest(method, path, operation, cost, user, peerAddress, Map.of(name, value));
    }

    @Override
    public List<String> headers(String name) {
        return List.of();
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
