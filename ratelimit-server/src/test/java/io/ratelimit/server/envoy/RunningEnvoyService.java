package io.ratelimit.server.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.UInt64Value;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc.RateLimitServiceBlockingStub;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.ratelimit.RateLimitListener;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.http.HttpAnswers;
import io.ratelimit.core.http.HttpSettings;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.RulesException;
import io.ratelimit.server.envoy.descriptor.DescriptorSet;
import io.ratelimit.server.envoy.descriptor.DescriptorsParser;
import io.ratelimit.server.listen.Listening;
import io.ratelimit.store.BucketStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The service on a port, an engine behind it whose clock stands still, and a client that has Envoy's messages. */
final class RunningEnvoyService implements AutoCloseable {

    final ManualTimeSource time = new ManualTimeSource();
    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final RateLimitEngine engine;
    private final EnvoyRateLimitService service;
    private final GrpcServer server;
    private final ManagedChannel channel;
    private volatile DescriptorSet descriptors = DescriptorSet.empty();

    private RunningEnvoyService(Setup setup) throws IOException {
        Path rules = Files.createTempFile("rules", ".yaml");
        Files.writeString(rules, setup.rules);
        var builder = RateLimitEngine.builder()
                .rules(rules.toString())
                .timeSource(time)
                .listener(setup.listener)
                .setting("metrics", "false")
                .settings(setup.settings);
        if (setup.store != null) {
            builder.store(setup.store);
        }
        engine = builder.build();
        engine.start();
        Files.delete(rules);
        Supplier<DescriptorSet> inForce = setup.descriptors == null ? () -> descriptors : setup.descriptors;
        service = new EnvoyRateLimitService(
                engine, inForce, new HttpAnswers(HttpSettings.DEFAULT, time), setup.chargeEveryDescriptor);
        server = GrpcServer.start(
                new Listening("127.0.0.1", 0, "--grpc-port", null),
                service,
                setup.tokens,
                meters,
                setup.times,
                setup.connections);
        channel = NettyChannelBuilder.forAddress("127.0.0.1", server.port())
                .usePlaintext()
                .build();
    }

    /** What the service is started with. */
    static final class Setup {
        private String rules = "service: nobody\nrules: []";
        private @Nullable String yaml;
        private @Nullable Supplier<DescriptorSet> descriptors;
        private @Nullable BucketStore store;
        private RateLimitListener listener = new RateLimitListener() {};
        private boolean chargeEveryDescriptor;
        private @Nullable Predicate<String> tokens;
        private GrpcServer.Times times = GrpcServer.Times.USUAL;
        private int connections = 100;
        private Map<String, String> settings = Map.of();

        Setup setting(String name, String value) {
            settings = Map.of(name, value);
            return this;
        }

        Setup rules(String text) {
            rules = text;
            return this;
        }

        Setup descriptors(String text) {
            yaml = text;
            return this;
        }

        Setup descriptors(Supplier<DescriptorSet> supplier) {
            descriptors = supplier;
            return this;
        }

        Setup store(BucketStore shared) {
            store = shared;
            return this;
        }

        Setup listener(RateLimitListener hearing) {
            listener = hearing;
            return this;
        }

        Setup chargeEveryDescriptor() {
            chargeEveryDescriptor = true;
            return this;
        }

        Setup token(String token) {
            tokens = token::equals;
            return this;
        }

        Setup times(GrpcServer.Times bounds) {
            times = bounds;
            return this;
        }

        Setup connections(int most) {
            connections = most;
            return this;
        }

        RunningEnvoyService start() {
            try {
                RunningEnvoyService running = new RunningEnvoyService(this);
                if (yaml != null) {
                    running.enforce(yaml);
                }
                return running;
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    static Setup setup() {
        return new Setup();
    }

    void enforce(String yaml) {
        try {
            descriptors = new DescriptorsParser((rule, service, version) ->
                            engine.limited(rule, service, version).orElseThrow())
                    .parse(
                            List.of(new RulesDocument("shop.yaml", yaml.getBytes(StandardCharsets.UTF_8), "", 1)),
                            descriptors.version() + 1);
        } catch (RulesException e) {
            throw new IllegalArgumentException(e);
        }
    }

    RateLimitEngine engine() {
        return engine;
    }

    /** What would become of a request, with a descriptor for each text, such as {@code user=alice path=/a}. */
    String explain(String domain, String... descriptors) {
        return service.explain(EnvoyQuestion.parse(domain, List.of(descriptors)))
                .toString();
    }

    int port() {
        return server.port();
    }

    ManagedChannel channel() {
        return channel;
    }

    RateLimitServiceBlockingStub stub() {
        return RateLimitServiceGrpc.newBlockingStub(channel).withDeadlineAfter(20, TimeUnit.SECONDS);
    }

    RateLimitResponse ask(RateLimitRequest.Builder request) {
        return stub().shouldRateLimit(request.build());
    }

    /** A request of one descriptor for each text, such as {@code user=alice,path=/a}. */
    static RateLimitRequest.Builder request(String domain, String... descriptors) {
        RateLimitRequest.Builder request = RateLimitRequest.newBuilder().setDomain(domain);
        Arrays.stream(descriptors).forEach(text -> request.addDescriptors(descriptor(text)));
        return request;
    }

    static RateLimitDescriptor.Builder descriptor(String text) {
        RateLimitDescriptor.Builder descriptor = RateLimitDescriptor.newBuilder();
        for (String entry : text.split(",", -1)) {
            String[] parts = entry.split("=", 2);
            descriptor.addEntries(
                    RateLimitDescriptor.Entry.newBuilder().setKey(parts[0]).setValue(parts[1]));
        }
        return descriptor;
    }

    static RateLimitDescriptor.Builder descriptor(String text, long hits) {
        return descriptor(text).setHitsAddend(UInt64Value.of(hits));
    }

    RateLimitResponse ask(String domain, String... descriptors) {
        return ask(request(domain, descriptors));
    }

    /** The answer in short: the overall code, then each status as code and tokens left. */
    static String told(RateLimitResponse response) {
        StringBuilder text = new StringBuilder(response.getOverallCode().name());
        for (DescriptorStatus status : response.getStatusesList()) {
            assertThat(status.getDurationUntilReset().getSeconds()).isNotNegative();
            assertThat(status.getDurationUntilReset().getNanos()).isNotNegative();
            text.append(status.getCode() == Code.OK ? " ok" : " over");
            if (status.hasCurrentLimit()) {
                text.append(':').append(Integer.toUnsignedString(status.getLimitRemaining()));
            }
        }
        return text.toString();
    }

    String told(String domain, String... descriptors) {
        return told(ask(domain, descriptors));
    }

    void pass(Duration elapsed) {
        time.advance(elapsed);
    }

    @Override
    public void close() {
        channel.shutdownNow();
        server.close();
        engine.close();
    }
}
