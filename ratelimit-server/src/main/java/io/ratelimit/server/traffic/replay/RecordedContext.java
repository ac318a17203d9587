package io.ratelimit.server.traffic.replay;

import com.google.common.base.Ascii;
import io.ratelimit.RequestContext;
import io.ratelimit.server.traffic.RecordedRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A recorded request as rules look at it. Where a value was hashed, the hash is the value: what is equal stays equal.
 *
 * @param recorded the request
 */
record RecordedContext(RecordedRequest recorded) implements RequestContext {

    private static final String CREDENTIALS = "authorization";
    private static final String HASH = "#";

    @Override
    public String method() {
        return recorded.method();
    }

    @Override
    public String path() {
        return recorded.path();
    }

    @Override
    public @Nullable String operation() {
        return recorded.operation();
    }

    @Override
    public long cost() {
        Long cost = recorded.cost();
        return cost == null ? NO_COST : cost;
    }

    @Override
    public @Nullable String peerAddress() {
        return recorded.ip();
    }

    @Override
    public @Nullable String user() {
        return recorded.user();
    }

    /** A credential that was hashed as a whole is a bearer's, since no other tells clients apart. */
    @Override
    public List<String> headers(String name) {
        String key = Ascii.toLowerCase(name);
        List<String> lines = recorded.headers().getOrDefault(key, List.of());
        return key.equals(CREDENTIALS)
                ? lines.stream()
                        .map(line -> line.startsWith(HASH) ? "Bearer " + line : line)
                        .toList()
                : lines;
    }

    @Override
    public @Nullable String cookie(String name) {
        return recorded.cookies().get(name);
    }

    @Override
    public @Nullable Object attribute(String name) {
        return recorded.attributes().get(name);
    }
}
