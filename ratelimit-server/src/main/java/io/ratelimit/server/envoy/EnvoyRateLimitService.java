package io.ratelimit.server.envoy;

import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc.RateLimitServiceImplBase;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.ratelimit.core.FaultLog;
import io.ratelimit.core.JointPart;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.explain.Explanation;
import io.ratelimit.core.http.HttpAnswers;
import io.ratelimit.server.envoy.descriptor.DescriptorSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Envoy's rate limit service. No thread waits for a store; whatever fails inside, the request passes. Thread-safe.
 */
final class EnvoyRateLimitService extends RateLimitServiceImplBase {

    /** Far more than routes have; each costs a look at its buckets. */
    static final int MOST_DESCRIPTORS = 100;

    private final DescriptorLimits limits;
    private final Supplier<DescriptorSet> descriptors;
    private final EnvoyExplainer explainer;
    private final Charging charging;
    private final ResponseWriter writer;
    private final FaultLog faults;

    /**
     * Makes the service.
     *
     * @param engine decides; its rules apply to the domain that has their service's name
     * @param descriptors the descriptors in force
     * @param answers the header fields that clients are told their limits by
     * @param chargeEveryDescriptor whether descriptors that pass are charged although another one of the request refuses
     */
    public EnvoyRateLimitService(
            RateLimitEngine engine,
            Supplier<DescriptorSet> descriptors,
            HttpAnswers answers,
            boolean chargeEveryDescriptor) {
        this.limits = new DescriptorLimits(
                engine,
                new RequestLimits(
                        (rule, service, version) ->
                                engine.limited(rule, service, version).orElseThrow(),
                        engine.timeSource()));
        this.descriptors = descriptors;
        this.explainer = new EnvoyExplainer(engine, descriptors, limits);
        this.charging = new Charging(engine.limiter(), chargeEveryDescriptor);
        this.writer = new ResponseWriter(answers);
        this.faults = new FaultLog(EnvoyRateLimitService.class, engine.timeSource());
    }

    /**
     * Decides a request.
     *
     * @param request the request
     * @param response takes the answer; {@code INVALID_ARGUMENT} where the request names no domain, no descriptor, or more
     *     than a hundred
     */
    @Override
    public void shouldRateLimit(RateLimitRequest request, StreamObserver<RateLimitResponse> response) {
        String wrong = wrongWith(request);
        if (wrong != null) {
            response.onError(Status.INVALID_ARGUMENT.withDescription(wrong).asRuntimeException());
            return;
        }
        if (response instanceof ServerCallStreamObserver<RateLimitResponse> call) {
            // Who has hung up is no failure.
            call.setOnCancelHandler(() -> {});
        }
        decide(request)
                .exceptionally(failure -> {
                    faults.report("A request of Envoy could not be decided and passes", failure);
                    return writer.passing(request.getDescriptorsCount());
                })
                .thenAccept(answer -> {
                    response.onNext(answer);
                    response.onCompleted();
                });
    }

    Explanation explain(EnvoyQuestion question) {
        return explainer.explain(question);
    }

    private static @Nullable String wrongWith(RateLimitRequest request) {
        if (request.getDomain().isEmpty()) {
            return "the request has no domain: name one in the filter's configuration";
        }
        if (request.getDescriptorsCount() == 0) {
            return "the request has no descriptor: give the route rate limit actions";
        }
        return request.getDescriptorsCount() > MOST_DESCRIPTORS
                ? "the request has " + request.getDescriptorsCount() + " descriptors: " + MOST_DESCRIPTORS
                        + " are decided at once at most"
                : null;
    }

    private CompletionStage<RateLimitResponse> decide(RateLimitRequest request) {
        try {
            List<LimitedDescriptor> limited = limits.of(request, descriptors.get());
            List<JointPart> parts =
                    limited.stream().map(LimitedDescriptor::part).toList();
            return charging.charge(new WholeRequest(request.getDomain(), limited), parts)
                    .thenApply(decision -> writer.write(limited, decision));
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
