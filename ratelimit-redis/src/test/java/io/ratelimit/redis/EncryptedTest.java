package io.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ratelimit.core.SelfSigned;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that speaks TLS, with a certificate of its own. */
@Tag("cluster")
class EncryptedTest {

    @TempDir
    private Path directory;

    @Test
    void isWorkedWithByThoseWhoTrustItsCertificateAndByNobodyElse() throws Exception {
        Optional<File> installed = RedisProcess.installed();
        assumeTrue(installed.isPresent(), "there is no redis-server on the path");
        SelfSigned identity = SelfSigned.in(directory);
        Path certificate = Files.writeString(directory.resolve("certificate"), identity.certificate());
        Path key = Files.writeString(directory.resolve("key"), identity.key());
        int port = RedisProcess.freePort();
        String uri = "rediss://127.0.0.1:" + port;
        String[] tls = {
            "--tls-port", "" + port,
            "--tls-cert-file", certificate.toString(),
            "--tls-key-file", key.toString(),
            "--tls-ca-cert-file", certificate.toString(),
            "--tls-auth-clients", "no"
        };
        try (RedisProcess redis = RedisProcess.server(installed.get(), RedisProcess.freePort(), tls)) {
            Process stranger = SpendingHost.start(uri);
            assertThat(stranger.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(stranger.exitValue()).isNotZero();
            assertThat(redis.calls("evalsha")).isZero();
            Process host = SpendingHost.start(
                    uri,
                    "-Djavax.net.ssl.trustStore=" + identity.store(),
                    "-Djavax.net.ssl.trustStorePassword=" + SelfSigned.PASSWORD);
            try {
                await().atMost(Duration.ofMinutes(1)).until(() -> redis.calls("evalsha") > 2_000);
            } finally {
                host.destroyForcibly().waitFor();
            }
        }
    }
}
