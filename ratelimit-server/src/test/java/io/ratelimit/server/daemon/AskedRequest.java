package io.ratelimit.server.daemon;

import io.ratelimit.RequestContext;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request of some user, with one header. */
public record AskedRequest(String path, @Nullable String user, Map<String, String> headers) implements RequestContext {

    /** Without a header. */
    public AskedRequest(String path, @Nullable String user) {
        this(path, user, Map.of());
    }

    @Override
    public String method() {
        return "GET";
    }

    @Override
    public String peerAddress() {
        return "192.0.2.7";
    }

    @Override
    public List<String> headers(String name) {
        return headers.containsKey(name) ? List.of(headers.get(name)) : List.of();
    }

    @Override
    public @Nullable String cookie(String name) {
        return null;
    }

    @Override
    public @Nullable Object attribute(String name) {
        return null;
    }
}
