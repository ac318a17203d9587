package io.ratelimit.server.envoy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.SelfSigned;
import io.ratelimit.core.http.HttpAnswers;
import io.ratelimit.core.http.HttpSettings;
import io.ratelimit.server.listen.Listening;
import io.ratelimit.server.listen.ServerStartException;
import io.ratelimit.server.listen.TlsSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EnvoyPortTest {

    private static final String BANNED =
            "domain: shop\ndescriptors: [{ key: user, rate_limit: { unit: day, requests_per_unit: 0 } }]";

    @TempDir
    Path directory;

    private final ManualTimeSource time = new ManualTimeSource();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private Path descriptors = Path.of("");
    private @Nullable RateLimitEngine engine;

    @BeforeEach
    void start() throws IOException {
        descriptors = Files.writeString(directory.resolve("shop.yml"), BANNED);
        Path rules = Files.writeString(directory.resolve("rules.yaml"), "service: other\nrules: []");
        engine = RateLimitEngine.builder()
                .rules(rules.toString())
                .timeSource(time)
                .build();
        engine.start();
    }

    @AfterEach
    void stop() {
        if (engine != null) {
            engine.close();
        }
    }

    private EnvoyPort open(@Nullable Path place, @Nullable TlsSettings tls) {
        if (engine == null) {
            throw new IllegalStateException();
        }
        return EnvoyPort.start(
                new EnvoySettings(new Listening("127.0.0.1", 0, "--grpc-port", tls), place, false),
                engine,
                new HttpAnswers(HttpSettings.DEFAULT, time),
                null,
                meters);
    }

    private static Code ask(ManagedChannel channel) {
        try {
            return RateLimitServiceGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(10, TimeUnit.SECONDS)
                    .shouldRateLimit(
                            RunningEnvoyService.request("shop", "user=alice").build())
                    .getOverallCode();
        } finally {
            channel.shutdownNow();
        }
    }

    private static NettyChannelBuilder to(EnvoyPort port) {
        return NettyChannelBuilder.forAddress("127.0.0.1", port.port());
    }

    @Test
    void descriptorsAreInForceAndFollowed() throws Exception {
        try (EnvoyPort port = open(descriptors, null)) {
            assertThat(ask(to(port).usePlaintext().build())).isEqualTo(Code.OVER_LIMIT);
            assertThat(meters.get("ratelimit.envoy.descriptors.version").gauge().value())
                    .isEqualTo(Files.getLastModifiedTime(descriptors).toMillis());

            Files.writeString(descriptors, "domian: shop");
            await().until(() ->
                    meters.get("ratelimit.envoy.descriptors.refused").gauge().value() == 1);
            assertThat(ask(to(port).usePlaintext().build())).isEqualTo(Code.OVER_LIMIT);

            Files.writeString(descriptors, "domain: shop");
            await().until(() -> ask(to(port).usePlaintext().build()) == Code.OK);
        }
    }

    @Test
    void withoutDescriptorsEverythingPasses() {
        try (EnvoyPort port = open(null, null)) {
            assertThat(ask(to(port).usePlaintext().build())).isEqualTo(Code.OK);
        }
    }

    @Test
    void badDescriptorsRefuseToStartWithAllReasons() throws Exception {
        Files.writeString(descriptors, "domain: shop\ndescriptors: [{ key: a, valeu: b }, { rate_limit: {} }]");

        assertThatThrownBy(() -> open(descriptors, null))
                .isInstanceOf(ServerStartException.class)
                .hasMessageContaining("shop.yml:2:25: field descriptors[0].valeu: unknown field 'valeu'")
                .hasMessageContaining("field descriptors[1].key: the field 'key' is missing")
                .hasMessageContaining("field descriptors[1].rate_limit.unit: the field 'unit' is missing");
        assertThatThrownBy(() -> open(directory.resolve("missing"), null))
                .isInstanceOf(ServerStartException.class)
                .hasMessageContaining("missing: does not exist");
    }

    @Test
    void answersByTlsAndNotWithoutIt() throws Exception {
        Path keys = SelfSigned.in(directory).store();
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keys)) {
            store.load(in, SelfSigned.PASSWORD.toCharArray());
        }
        trust.init(store);

        try (EnvoyPort port = open(descriptors, new TlsSettings(keys, SelfSigned.PASSWORD))) {
            assertThat(ask(to(port).sslContext(GrpcSslContexts.forClient()
                                    .trustManager(trust)
                                    .build())
                            .build()))
                    .isEqualTo(Code.OVER_LIMIT);
            assertThatThrownBy(() -> ask(to(port).usePlaintext().build())).isInstanceOf(StatusRuntimeException.class);
        }
        assertThatThrownBy(() -> open(descriptors, new TlsSettings(keys, "wrong")))
                .isInstanceOf(ServerStartException.class)
                .hasMessageContaining("api.p12 cannot be read")
                .hasMessageEndingWith("its password as RATELIMIT_TLS_PASSWORD");
    }
}
