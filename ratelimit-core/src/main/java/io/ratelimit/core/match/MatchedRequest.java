package io.ratelimit.core.match;

import io.ratelimit.RequestContext;
import io.ratelimit.core.client.ClientAddressResolver;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One request while it is matched: what several conditions ask for is worked out once. Used by one thread. */
final class MatchedRequest {

    private final RequestContext context;
    private final ClientAddressResolver addresses;
    private final String method;
    private final List<String> segments;
    private boolean addressResolved;
    private @Nullable InetAddress address;

    MatchedRequest(RequestContext context, ClientAddressResolver addresses) {
        this.context = context;
        this.addresses = addresses;
        this.method = CountedMethod.of(context.method());
        this.segments = PathSegments.of(context.path());
    }

    RequestContext context() {
        return context;
    }

    /** The method that the request counts as. */
    String method() {
        return method;
    }

    List<String> segments() {
        return segments;
    }

    @Nullable
    InetAddress clientAddress() {
        if (!addressResolved) {
            address = addresses.resolve(context);
            addressResolved = true;
        }
        return address;
    }
}
