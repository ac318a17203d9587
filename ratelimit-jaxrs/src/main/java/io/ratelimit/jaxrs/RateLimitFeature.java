package io.ratelimit.jaxrs;

import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.http.HttpEngine;
import jakarta.annotation.PreDestroy;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.container.DynamicFeature;
import jakarta.ws.rs.container.ResourceContext;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.FeatureContext;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits JAX-RS resource methods by {@link io.ratelimit.annotation.RateLimited} and by the rules.
 *
 * <p>JAX-RS 3.1 loads this feature by itself when the jar is there (see {@link DiscoveredFeature}). An application that
 * hands in an engine of its own registers an instance instead, for which the one that was loaded stands back. A request is decided by the engine of the servlet filter
 * if the application has one, else by the engine handed in, else by one made at the first request from
 * {@code ratelimit.yaml} on the class path, or without rules where that does not exist.
 *
 * <p>Where a filter in front has charged the request, only what the operation adds is charged: rules that name it, and
 * the difference that the annotation's cost makes. Without one, all rules are asked here; they see then only requests
 * that reach a resource method. Without a servlet container the path is that of the whole request URI, and the peer's
 * address is unknown, so that keys and clients {@code ip} find nobody.
 *
 * <p>A request counts once, however often it is dispatched within the server. Of several annotations on one method each
 * operation must allow; a refusal charges none of them, and a rule that several lead to is charged the highest of their
 * costs. Requests that match no resource method, and CORS preflights, are not seen here.
 *
 * <p>A request is limited behind authentication filters (priority {@link Priorities#AUTHENTICATION}) and in front of
 * authorization, by the method that JAX-RS matched. Annotations that cannot be read are reported in one line each when
 * the application starts, which it does without what they say. Thread-safe.
 */
public final class RateLimitFeature implements DynamicFeature, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RateLimitFeature.class);

    /** Behind authentication, which tells who the client is; in front of authorization, whose refusals count. */
    private static final int PRIORITY = (Priorities.AUTHENTICATION + Priorities.AUTHORIZATION) / 2;

    private final Engines engines;
    private final DeclaredRules declared = new DeclaredRules();
    private final MethodPolicies policies = new MethodPolicies(declared);
    private final Exchanges exchanges = new Exchanges();
    private final ResourceLimiter limiter;
    private final @Nullable HttpEngine given;

    @Context
    private volatile @Nullable ResourceContext injector;

    /** Makes a feature that finds its engine or makes one. */
    public RateLimitFeature() {
        this(null, new Engines(null));
    }

    /**
     * Makes a feature with an engine, whose answers carry all header fields. Responders for refusals, and messages in
     * further languages, are found on the class path of the thread that makes the feature.
     *
     * @param engine the engine, started and closed by the application
     */
    public RateLimitFeature(RateLimitEngine engine) {
        this(Engines.withFoundAnswers(engine));
    }

    /**
     * Makes a feature with an engine and its answers.
     *
     * @param http the engine, started and closed by the application, and how its decisions are told
     */
    public RateLimitFeature(HttpEngine http) {
        this(http, new Engines(http));
    }

    private RateLimitFeature(@Nullable HttpEngine given, Engines engines) {
        this.given = given;
        this.engines = engines;
        this.limiter = new ResourceLimiter(engines, declared, () -> exchanges.find(injector));
    }

    /** Called by JAX-RS for each resource method, and for those of sub-resources with each request. */
    @Override
    public void configure(ResourceInfo resourceInfo, FeatureContext context) {
        try {
            MethodPolicy policy = policies.of(resourceInfo.getResourceClass(), resourceInfo.getResourceMethod());
            if (given != null) {
                declared.tell(given.engine());
            }
            MethodFilter filter = new MethodFilter(limiter, policy);
            context.register(
                    filter,
                    Map.of(
                            ContainerRequestFilter.class, PRIORITY,
                            ContainerResponseFilter.class, PRIORITY));
        } catch (RuntimeException | LinkageError e) {
            LOG.error("{} stays WITHOUT limits", resourceInfo.getResourceMethod(), e);
        }
    }

    /** Hands in what JAX-RS injects into a feature that it knows, where it knows another one than this. */
    void inject(@Nullable ResourceContext injected) {
        if (injector == null) {
            this.injector = injected;
        }
    }

    /**
     * Closes the engine if this feature made it. Jersey calls this when it ends a feature that it loaded; an application
     * on another implementation, or one that registers an instance, hands in an engine and closes that, or calls this.
     */
    @Override
    @PreDestroy
    public void close() {
        engines.close();
    }
}
