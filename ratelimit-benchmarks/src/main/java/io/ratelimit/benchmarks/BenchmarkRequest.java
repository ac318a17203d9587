package io.ratelimit.benchmarks;

import io.ratelimit.RequestContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request of a known client.
 *
 * @param path the path
 * @param client the name of the user, and what the header {@link #HEADER} says
 */
public record BenchmarkRequest(String path, String client) implements RequestContext {

    static final String HEADER = "X-Client";

    @Override
    public String method() {
        return "GET";
    }

    @Override
    public String peerAddress() {
        return "192.0.2.7";
    }

    @Override
    public String user() {
        return client;
    }

    @Override
    public List<String> headers(String name) {
        return HEADER.equalsIgnoreCase(name) ? List.of(client) : List.of();
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
