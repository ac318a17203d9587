package io.ratelimit.server.envoy;

import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.type.v3.RateLimitUnit;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.explain.Explanation;
import io.ratelimit.core.http.HttpAnswers;
import io.ratelimit.rules.RuleProblem;
import io.ratelimit.rules.RulesException;
import io.ratelimit.server.envoy.descriptor.DescriptorSet;
import io.ratelimit.server.envoy.descriptor.DescriptorsParser;
import io.ratelimit.server.envoy.descriptor.DescriptorsStatus;
import io.ratelimit.server.envoy.descriptor.FollowedDescriptors;
import io.ratelimit.server.listen.ServerStartException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The rate limit service at its port, with the descriptor files that it follows. */
public final class EnvoyPort implements AutoCloseable {

    private final EnvoyRateLimitService service;
    private final GrpcServer server;
    private final @Nullable FollowedDescriptors descriptors;

    private EnvoyPort(EnvoyRateLimitService service, GrpcServer server, @Nullable FollowedDescriptors descriptors) {
        this.service = service;
        this.server = server;
        this.descriptors = descriptors;
    }

    /**
     * Starts to answer.
     *
     * @param settings how
     * @param engine decides; it stays open when the port is closed
     * @param answers the header fields that clients are told their limits by
     * @param tokens whether a token is one of those that may ask, in a time that tells nothing of it; null where anybody
     *     may
     * @param meters where the meters live
     * @return the port, which answers
     * @throws ServerStartException if it cannot listen, or the descriptors cannot be read or are wrong; the message has
     *     all their mistakes
     */
    public static EnvoyPort start(
            EnvoySettings settings,
            RateLimitEngine engine,
            HttpAnswers answers,
            @Nullable Predicate<String> tokens,
            MeterRegistry meters) {
        FollowedDescriptors followed =
                settings.descriptors() == null ? null : follow(settings.descriptors(), engine, meters);
        Supplier<DescriptorSet> inForce = followed == null ? DescriptorSet::empty : followed;
        try {
            EnvoyRateLimitService service =
                    new EnvoyRateLimitService(engine, inForce, answers, settings.chargeEveryDescriptor());
            return new EnvoyPort(service, GrpcServer.start(settings.place(), service, tokens, meters), followed);
        } catch (RuntimeException e) {
            if (followed != null) {
                followed.close();
            }
            throw e;
        }
    }

    /**
     * Answers a few questions of nobody, because the first ones of a process are slow.
     *
     * @param engine decides; none that anybody else asks
     * @param answers as {@link #start} takes them
     */
    public static void warmUp(RateLimitEngine engine, HttpAnswers answers) {
        RateLimitRequest question = RateLimitRequest.newBuilder()
                .setDomain("warm-up")
                .addDescriptors(RateLimitDescriptor.newBuilder()
                        .addEntries(RateLimitDescriptor.Entry.newBuilder().setKey("warm-up"))
                        .setLimit(RateLimitDescriptor.RateLimitOverride.newBuilder()
                                .setRequestsPerUnit(1)
                                .setUnit(RateLimitUnit.HOUR)))
                .build();
        EnvoyRateLimitService service = new EnvoyRateLimitService(engine, DescriptorSet::empty, answers, false);
        for (int i = 0; i < 20; i++) {
            service.shouldRateLimit(question, new Nobody());
        }
    }

    /** Hears answers that nobody has asked for. */
    private static final class Nobody implements StreamObserver<RateLimitResponse> {

        @Override
        public void onNext(RateLimitResponse answer) {
            // As it would be sent.
            try {
                answer.writeTo(OutputStream.nullOutputStream());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void onError(Throwable failure) {}

        @Override
        public void onCompleted() {}
    }

    private static FollowedDescriptors follow(Path place, RateLimitEngine engine, MeterRegistry meters) {
        DescriptorsParser parser = new DescriptorsParser((rule, service, version) ->
                engine.limited(rule, service, version).orElseThrow());
        try {
            FollowedDescriptors followed = FollowedDescriptors.start(place, parser, engine.timeSource());
            Gauge.builder(
                            "ratelimit.envoy.descriptors.version",
                            followed,
                            files -> files.get().version())
                    .description("Version of the descriptors in force")
                    .register(meters);
            Gauge.builder(
                            "ratelimit.envoy.descriptors.refused",
                            followed,
                            files -> files.status().refused() ? 1 : 0)
                    .description("1 while descriptor files are not in force as they are")
                    .register(meters);
            return followed;
        } catch (IOException e) {
            throw new ServerStartException(String.valueOf(e.getMessage()), e);
        } catch (RulesException e) {
            throw new ServerStartException(
                    e.problems().stream().map(RuleProblem::toString).collect(Collectors.joining("\n")), e);
        }
    }

    /**
     * The port that it listens on.
     *
     * @return the port that was taken
     */
    public int port() {
        return server.port();
    }

    /**
     * How things stand with the descriptor files.
     *
     * @return what is in force; empty where there are no such files
     */
    public Optional<DescriptorsStatus> descriptors() {
        return Optional.ofNullable(descriptors).map(FollowedDescriptors::status);
    }

    /**
     * Why a request would pass or not. Nothing is charged.
     *
     * @param question the request
     * @return the explanation, as things stand
     */
    public Explanation explain(EnvoyQuestion question) {
        return service.explain(question);
    }

    /** Answers the calls under way, and stops. */
    @Override
    public void close() {
        server.close();
        if (descriptors != null) {
            descriptors.close();
        }
    }
}
