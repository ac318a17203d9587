package io.ratelimit.core.client;

import io.ratelimit.RequestContext;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request made by hand. */
final class StubRequest implements RequestContext {

    private final Map<String, List<String>> headers = new HashMap<>();
    private final Map<String, String> cookies = new HashMap<>();
    private final Map<String, Object> attributes = new HashMap<>();
    private final @Nullable String peer;
    private @Nullable String user;

    private StubRequest(@Nullable String peer) {
        this.peer = peer;
    }

    static StubRequest from(@Nullable String peer) {
        return new StubRequest(peer);
    }

    StubRequest user(@Nullable String name) {
        user = name;
        return this;
    }

    StubRequest header(String name, String... lines) {
        return headerLines(name, List.of(lines));
    }

    StubRequest headerLines(String name, List<String> lines) {
        headers.put(name.toLowerCase(Locale.ROOT), lines);
        return this;
    }

    StubRequest cookie(String name, String value) {
        cookies.put(name, value);
        return this;
    }

    StubRequest attribute(String name, Object value) {
        attributes.put(name, value);
        return this;
    }

    @Override
    public String method() {
        return "GET";
    }

    @Override
    public String path() {
        return "/";
    }

    @Override
    public @Nullable String peerAddress() {
        return peer;
    }

    @Override
    public @Nullable String user() {
        return user;
    }

    @Override
    public List<String> headers(String name) {
        return headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
    }

    @Override
    public @Nullable String cookie(String name) {
        return cookies.get(name);
    }

    @Override
    public @Nullable Object attribute(String name) {
        return attributes.get(name);
    }
}
