package io.ratelimit.server.envoy;

import com.google.common.base.Strings;
import io.ratelimit.RequestContext;
import io.ratelimit.server.envoy.descriptor.DescriptorEntry;
import io.ratelimit.server.proxied.RequestTarget;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A descriptor as rules read requests: its entries are attributes, and those named {@code method}, {@code path},
 * {@code user}, {@code operation} and {@code remote_address} are these as well.
 */
class DescriptorRequest implements RequestContext {

    private final Map<String, String> entries = new HashMap<>();
    private final long cost;
    private final RequestTarget target;

    /**
     * Reads a descriptor.
     *
     * @param entries its entries; of several with one key the first counts
     * @param cost tokens, or {@link #NO_COST} where the rules say it
     */
    DescriptorRequest(List<DescriptorEntry> entries, long cost) {
        entries.forEach(entry -> this.entries.putIfAbsent(entry.key(), entry.value()));
        this.cost = cost;
        this.target = RequestTarget.of(this.entries.getOrDefault("path", "/"));
    }

    @Override
    public String method() {
        return entries.getOrDefault("method", "GET");
    }

    @Override
    public String path() {
        return target.path();
    }

    @Override
    public @Nullable String operation() {
        return present("operation");
    }

    @Override
    public long cost() {
        return cost;
    }

    @Override
    public @Nullable String peerAddress() {
        return present("remote_address");
    }

    @Override
    public @Nullable String user() {
        return present("user");
    }

    private @Nullable String present(String key) {
        return Strings.emptyToNull(entries.get(key));
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
        return entries.get(name);
    }

    @Override
    public List<String> queryParameters(String name) {
        return target.query().values(name);
    }
}
