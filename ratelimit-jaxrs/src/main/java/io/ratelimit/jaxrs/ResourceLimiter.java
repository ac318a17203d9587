package io.ratelimit.jaxrs;

import io.ratelimit.Decision;
import io.ratelimit.RequestContext;
import io.ratelimit.TimeSource;
import io.ratelimit.core.FaultLog;
import io.ratelimit.core.TokenBucketRateLimiter;
import io.ratelimit.core.http.ChargedRequest;
import io.ratelimit.core.http.HeaderField;
import io.ratelimit.core.http.HttpEngine;
import io.ratelimit.core.http.Preflight;
import io.ratelimit.core.http.Refusal;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides requests that reached a resource method: extends what a filter in front decided, or decides alone.
 * Thread-safe; throws nothing into the application.
 */
final class ResourceLimiter {

    /** The request property with the decision that is to be settled by the response. */
    private static final String DECIDED = "io.ratelimit.decided";

    private final Engines engines;
    private final DeclaredRules declared;
    private final Supplier<Exchange> exchanges;
    private final FaultLog faults = new FaultLog(RateLimitFeature.class, TimeSource.system());

    ResourceLimiter(Engines engines, DeclaredRules declared, Supplier<Exchange> exchanges) {
        this.engines = engines;
        this.declared = declared;
        this.exchanges = exchanges;
    }

    void limit(ContainerRequestContext request, MethodPolicy policy) {
        try {
            Exchange exchange = exchanges.get();
            HttpEngine http = engines.find(request, exchange);
            ChargedRequest charged = ChargedRequest.find(http, request.getProperty(ChargedRequest.ATTRIBUTE));
            if (policy.exempt()) {
                release(request, exchange, charged);
            } else if (!isPreflight(request) && !isDecided(request, exchange, policy, charged)) {
                decide(request, exchange, http, charged, policy.operations());
            }
        } catch (Throwable e) {
            faults.report("The limiter failed, the request passes", e);
        }
    }

    /** Tells the limiter how a request went that it let pass here. */
    void settle(ContainerRequestContext request, int status) {
        try {
            if (request.getProperty(DECIDED) instanceof Decision decision) {
                decision.settlement().complete(status);
            }
        } catch (Throwable e) {
            faults.report("A request could not be settled", e);
        }
    }

    private static void release(ContainerRequestContext request, Exchange exchange, @Nullable ChargedRequest charged) {
        if (charged != null) {
            Decision free = charged.http().engine().limiter().refund(charged.decision());
            charged.withDecision(free).leaveIn(request::setProperty);
            exchange.remove(charged.http().answers().fieldNames());
        }
    }

    /** What a filter decided stands, unless the method has an operation, or it or the path is not what the filter saw. */
    private static boolean isDecided(
            ContainerRequestContext request, Exchange exchange, MethodPolicy policy, @Nullable ChargedRequest charged) {
        return charged != null
                && policy.operations().isEmpty()
                && charged.isOf(request.getMethod())
                && !MatchedPath.keepsDotSegments(exchange.path(request));
    }

    private void decide(
            ContainerRequestContext request,
            Exchange exchange,
            HttpEngine http,
            @Nullable ChargedRequest charged,
            List<Operation> operations) {
        declared.tell(http.engine());
        TokenBucketRateLimiter limiter = http.engine().limiter();
        List<RequestContext> views = views(request, exchange, charged, operations);
        Decision decision = charged == null ? limiter.decideAll(views) : limiter.extendAll(charged.decision(), views);
        if (charged != null) {
            exchange.remove(http.answers().fieldNames());
        }
        if (!decision.allowed()) {
            if (charged != null) {
                // What the filter charged has been given back: a later dispatch must not give it back again.
                charged.withDecision(decision).leaveIn(request::setProperty);
            }
            refuse(request, exchange, http.answers().refuse(decision, views.get(0)));
            return;
        }
        ChargedRequest mark = charged == null
                ? ChargedRequest.mark(http, views.get(0), decision, request.getProperty(ChargedRequest.ATTRIBUTE))
                : charged.withDecision(decision);
        mark.leaveIn(request::setProperty);
        if (decision.mustBeSettled()) {
            request.setProperty(DECIDED, decision);
        }
        exchange.set(request, http.answers().fields(decision));
    }

    /** The request once for each of its operations, at least once. */
    private static List<RequestContext> views(
            ContainerRequestContext request,
            Exchange exchange,
            @Nullable ChargedRequest charged,
            List<Operation> operations) {
        RequestContext filtered = charged == null ? null : charged.context();
        if (operations.isEmpty()) {
            return List.of(new ResourceRequest(request, exchange, filtered, null));
        }
        return operations.stream()
                .<RequestContext>map(operation -> new ResourceRequest(request, exchange, filtered, operation))
                .toList();
    }

    /** With an entity even where the body is empty: without one, JAX-RS leaves the answer to the container's page. */
    private static void refuse(ContainerRequestContext request, Exchange exchange, Refusal refusal) {
        Response.ResponseBuilder answer =
                Response.status(refusal.status()).entity(refusal.body()).header("Content-Type", refusal.contentType());
        for (HeaderField field : refusal.fields()) {
            answer.header(field.name(), field.value());
        }
        exchange.addVary(answer, refusal.vary());
        request.abortWith(answer.build());
    }

    private static boolean isPreflight(ContainerRequestContext request) {
        return Preflight.is(request.getMethod(), name -> request.getHeaderString(name) != null);
    }
}
