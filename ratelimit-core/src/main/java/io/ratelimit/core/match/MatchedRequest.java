package io.ratelimit.core.match;

import io.ratelimit.RequestContext;
import io.ratelimit.core.client.ClientAddressResolver;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request while it is matched: what several rules ask for and is not cheap, the client's address and attributes that
 * resolvers find, is looked for once. Used by one thread.
 */
final class MatchedRequest implements RequestContext {

    private final RequestContext request;
    private final ResolvedAttributes attributes;
    private final ClientAddressResolver addresses;

    /** With null for those that no resolver knows. Made when first asked for: few rules ask for attributes. */
    private Map<String, @Nullable Object> resolved = Map.of();

    private boolean addressResolved;
    private @Nullable InetAddress address;

    MatchedRequest(RequestContext request, ResolvedAttributes attributes, ClientAddressResolver addresses) {
        this.request = request;
        this.attributes = attributes;
        this.addresses = addresses;
    }

    @Nullable
    InetAddress clientAddress() {
        if (!addressResolved) {
            address = addresses.resolve(request);
            addressResolved = true;
        }
        return address;
    }

    @Override
    public @Nullable Object attribute(String name) {
        Object own = request.attribute(name);
        if (own != null || attributes.areNone()) {
            return own;
        }
        if (!resolved.containsKey(name)) {
            resolved = resolved.isEmpty() ? new HashMap<>() : resolved;
            resolved.put(name, attributes.resolve(name, request));
        }
        return resolved.get(name);
    }

    @Override
    public String method() {
        return request.method();
    }

    @Override
    public String path() {
        return request.path();
    }

    @Override
    public @Nullable String operation() {
        return request.operation();
    }

    @Override
    public long cost() {
        return request.cost();
    }

    @Override
    public @Nullable String peerAddress() {
        return request.peerAddress();
    }

    @Override
    public @Nullable String user() {
        return request.user();
    }

    @Override
    public List<String> headers(String name) {
        return request.headers(name);
    }

    @Override
    public @Nullable String cookie(String name) {
        return request.cookie(name);
    }

    @Override
    public List<String> queryParameters(String name) {
        return request.queryParameters(name);
    }
}
