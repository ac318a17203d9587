package io.ratelimit.server.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.ratelimit.core.http.HttpSettings;
import io.ratelimit.server.daemon.DaemonSettings.TokenFiles;
import io.ratelimit.server.envoy.EnvoySettings;
import io.ratelimit.server.listen.Listening;
import io.ratelimit.server.listen.ServerStartException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EnvoyDaemonTest {

    private static final String TOKEN = "a-token-of-twenty-characters-or-more";
    private static final String DESCRIPTORS =
            "domain: shop\ndescriptors: [{ key: user, rate_limit: { unit: minute, requests_per_unit: 1 } }]";

    @TempDir
    Path directory;

    @Test
    void envoysAreAnsweredBesideOthers() throws Exception {
        Path tokens = write("tokens", TOKEN);
        try (RunningDaemon daemon =
                RunningDaemon.start(settings(new TokenFiles(tokens, tokens, false), write("shop.yaml", DESCRIPTORS)))) {
            ManagedChannel channel = NettyChannelBuilder.forAddress(
                            "127.0.0.1", daemon.daemon().grpcPort().orElseThrow())
                    .usePlaintext()
                    .build();

            assertThatThrownBy(() -> ask(channel, "another-token-of-twenty-characters"))
                    .isInstanceOf(StatusRuntimeException.class)
                    .hasMessageStartingWith("UNAUTHENTICATED");
            assertThat(ask(channel, TOKEN).getOverallCode()).isEqualTo(Code.OK);
            assertThat(ask(channel, TOKEN).getOverallCode()).isEqualTo(Code.OVER_LIMIT);
            assertThat(daemon.get("/ready").statusCode()).isEqualTo(200);
            assertThat(daemon.get("/metrics", "Authorization", "Bearer " + TOKEN)
                            .body())
                    .contains("ratelimit_envoy_requests_seconds_count{answer=\"over_limit\"} 1")
                    .contains("ratelimit_decisions_total{outcome=\"refused\",rule=\"shop.user\"} 1.0");
            channel.shutdownNow();
        }
    }

    @Test
    void operatorsSeeDescriptorsAndWhatTheyMakeOfARequest() throws Exception {
        Path file = write("shop.yaml", DESCRIPTORS);
        try (RunningDaemon daemon = RunningDaemon.start(settings(RunningDaemon.OPEN, file))) {
            JsonNode status =
                    new ObjectMapper().readTree(daemon.get("/v1/status").body()).get("descriptors");
            assertThat(status.get("files").toString())
                    .isEqualTo("[{\"file\":\"" + file + "\",\"domain\":\"shop\",\"limits\":1,\"levels\":1}]");
            assertThat(status.get("refused").asBoolean()).isFalse();
            assertThat(status.get("lastFailure").isNull()).isTrue();
            assertThat(status.get("since").asText()).startsWith("20").endsWith("Z");
            assertThat(daemon.get("/v1/status", "Accept", "text/plain").body())
                    .contains("\n  " + file + ": domain shop, 1 limit, 1 level deep\n");

            assertThat(daemon.get("/v1/explain?domain=shop&descriptor=user%3Dalice", "Accept", "text/plain")
                            .body())
                    .contains("rule shop.user: applies");
            assertThat(daemon.get("/v1/explain?domain=shop&descriptor=user%3Dalice&request=GET")
                            .statusCode())
                    .isEqualTo(400);
            assertThat(daemon.get("/v1/explain?domain=shop").statusCode()).isEqualTo(400);
        }
    }

    @Test
    void badDescriptorsRefuseToStart() throws Exception {
        Path bad = write("bad.yaml", "domian: shop");

        assertThatThrownBy(() -> RunningDaemon.start(settings(RunningDaemon.OPEN, bad)))
                .isInstanceOf(ServerStartException.class)
                .hasMessageContaining("did you mean 'domain'?");
    }

    @Test
    void aDaemonThatAnswersNoEnvoysHasNoPortForThem() throws Exception {
        try (RunningDaemon daemon = RunningDaemon.start(directory, "service: shop\nrules: []")) {
            assertThat(daemon.daemon().grpcPort()).isEmpty();
            assertThat(daemon.get("/v1/status").body()).doesNotContain("descriptors");
            assertThat(daemon.get("/v1/explain?domain=shop&descriptor=user%3Dalice")
                            .body())
                    .contains("this daemon answers no Envoys: start it with --descriptors or --grpc-port");
        }
    }

    private Path write(String name, String content) throws IOException {
        return Files.writeString(directory.resolve(name), content);
    }

    private static DaemonSettings settings(TokenFiles tokens, Path descriptors) {
        return new DaemonSettings(
                new Listening("127.0.0.1", 0, "--port", null),
                null,
                new EnvoySettings(new Listening("127.0.0.1", 0, "--grpc-port", null), descriptors, false),
                tokens,
                Map.of(),
                HttpSettings.DEFAULT,
                Duration.ofMinutes(1));
    }

    private static RateLimitResponse ask(ManagedChannel channel, String token) {
        Metadata metadata = new Metadata();
        metadata.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
        return RateLimitServiceGrpc.newBlockingStub(channel)
                .withDeadlineAfter(10, TimeUnit.SECONDS)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata))
                .shouldRateLimit(RateLimitRequest.newBuilder()
                        .setDomain("shop")
                        .addDescriptors(RateLimitDescriptor.newBuilder()
                                .addEntries(RateLimitDescriptor.Entry.newBuilder()
                                        .setKey("user")
                                        .setValue("alice")))
                        .build());
    }
}
