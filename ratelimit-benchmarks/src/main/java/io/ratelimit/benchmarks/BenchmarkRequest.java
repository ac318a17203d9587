package io.ratelimit.benchmarks;

import io.ratelimit.RequestContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request that is sent again and again, by one client after the other. Used by one thread, or by one client. */
public final class BenchmarkRequest implements RequestContext {

    private final String path;
    private String client;

    /**
     * Makes a request.
     *
     * @param path the path
     * @param client the name of the user, and what the header {@link #HEADER} says
     */
    public BenchmarkRequest(String path, String client) {
        this.path = path;
        this.client = client;
    }

    /**
     * The same request, by another client from now on.
     *
     * @param another the client's name
     * @return this request
     */
    public BenchmarkRequest by(String another) {
        client = another;
        return this;
    }

    @Override
    public String path() {
        return path;
    }

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
