package io.ratelimit.client.http;

import jakarta.ws.rs.client.ClientRequestFilter;
import jakarta.ws.rs.client.ClientResponseFilter;
import jakarta.ws.rs.core.Feature;
import jakarta.ws.rs.core.FeatureContext;
import jakarta.ws.rs.ext.WriterInterceptor;
import java.util.Map;

/**
 * Makes a client of JAX-RS well-behaved: where a server refuses (429, 503) or a gateway fails (502, 504), the call waits and
 * is made again, as {@link RetryingHttpClient} does, and its caller gets the last answer.
 *
 * <p>To be registered with a {@link jakarta.ws.rs.client.Client}. Further attempts are calls of that client, with all that is
 * registered with it. A call whose {@code WebTarget} has filters or interceptors of its own is not repeated, since they would
 * not take part in it; nor is one that brings no answer at all, of which filters do not hear.
 *
 * <p>A call waits on the thread that makes it. Thread-safe.
 */
public final class RetryingFeature implements Feature {

    /** Around all other filters: they see each attempt. Jersey takes what is negative for nothing. */
    private static final int OUTERMOST = 1;

    /** Next to the body's writer: it sees what others have not compressed yet. */
    private static final int INNERMOST = Integer.MAX_VALUE;

    private final Map<Object, Map<Class<?>, Integer>> providers;

    RetryingFeature(RetryFilter filter, int mostKeptBytes) {
        this.providers = Map.of(
                filter,
                Map.of(ClientRequestFilter.class, OUTERMOST, ClientResponseFilter.class, OUTERMOST),
                new BodyKeeper(mostKeptBytes),
                Map.of(WriterInterceptor.class, INNERMOST));
    }

    /**
     * Begins to configure a feature.
     *
     * @return a builder with defaults
     */
    public static RetryingFeatureBuilder builder() {
        return new RetryingFeatureBuilder();
    }

    @Override
    public boolean configure(FeatureContext context) {
        providers.forEach(context::register);
        return true;
    }
}
