package io.ratelimit.client;

import io.ratelimit.RequestContext;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a daemon is told of a request, and what local limits see of it: the same. Immutable. */
record SentRequest(
        String method,
        String path,
        @Nullable String operation,
        long cost,
        @Nullable String peerAddress,
        @Nullable String user,
        Map<String, List<String>> headers,
        Map<String, String> cookies,
        Map<String, Object> attributes,
        Map<String, List<String>> parameters)
        implements RequestContext {

    @Override
    public List<String> headers(String name) {
        return headers.getOrDefault(name, List.of());
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
        return parameters.getOrDefault(name, List.of());
    }

    /** Method and path alone, since the rest may hold secrets. */
    @Override
    public String toString() {
        return method + " " + path;
    }
}
