package io.ratelimit.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.ratelimit.Decision.Reason;
import io.ratelimit.core.SelfSigned;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(Client.class)
class HttpsTest {

    static {
        // Read once, by whichever server of the JDK comes first.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private static SSLContext context;

    @Parameter
    Client client;

    private HttpsServer daemon;
    private final AtomicInteger asked = new AtomicInteger();

    @BeforeAll
    static void makeKeys(@TempDir Path directory) throws Exception {
        context = context(keys(directory));
    }

    @BeforeEach
    void start() throws Exception {
        daemon = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        daemon.setHttpsConfigurator(new HttpsConfigurator(context));
        daemon.createContext("/", exchange -> {
            asked.incrementAndGet();
            byte[] answer = StubDaemon.ALLOWED.getBytes(StandardCharsets.UTF_8);
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        daemon.start();
    }

    @AfterEach
    void stop() {
        daemon.stop(0);
    }

    private static KeyStore keys(Path directory) throws Exception {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(SelfSigned.in(directory).store())) {
            keys.load(in, SelfSigned.PASSWORD.toCharArray());
        }
        return keys;
    }

    private static SSLContext context(KeyStore keys) throws Exception {
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, SelfSigned.PASSWORD.toCharArray());
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(keys);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
        return context;
    }

    private RemoteRateLimiterBuilder limiter() {
        return RemoteRateLimiter.of(address("127.0.0.1")).transports(client).deadline(Duration.ofSeconds(10));
    }

    private String address(String host) {
        return "https://" + host + ":" + daemon.getAddress().getPort();
    }

    private CompletableFuture<Reply> send(String host, SSLContext trusted) {
        Transport transport = client.open(DaemonAddress.parse(address(host)), trusted, 1);
        return transport
                .send("POST", "/v1/decide", Map.of("Authorization", "Bearer secret"), "{}", Duration.ofSeconds(10))
                .whenComplete((reply, failure) -> new Thread(transport::close).start());
    }

    @Test
    void asksByHttpsWhomItTrusts() {
        try (RemoteRateLimiter limiter = limiter().sslContext(context).build()) {
            // On a busy machine, the first handshake of all can take longer than a daemon is waited for at the start.
            await().pollDelay(Duration.ZERO)
                    .until(() -> limiter.decide(Requests.get("/")).reason() == Reason.NO_LIMIT);
        }
    }

    @Test
    void tellsNothingToWhomItDoesNotTrust() {
        try (RemoteRateLimiter limiter = limiter().token("secret").build()) {
            assertThat(limiter.decide(Requests.get("/")).reason()).isEqualTo(Reason.FAILURE);
        }
        assertThat(asked).hasValue(0);
    }

    @Test
    void nothingWasSentToWhomItDoesNotTrust() {
        assertThat(send("127.0.0.1", null))
                .failsWithin(Duration.ofSeconds(10))
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(ConnectException.class);
        assertThat(asked).hasValue(0);
    }

    @Test
    void nothingWasSentToWhomACertificateIsNotFor() {
        assertThat(send("localhost", context))
                .failsWithin(Duration.ofSeconds(10))
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(ConnectException.class);
        assertThat(asked).hasValue(0);
    }

    @Test
    void aServerThatSpeaksNoTlsIsToldNothing() throws Exception {
        try (ScriptedServer plain = new ScriptedServer(ScriptedServer.saying("HTTP/1.1 200 OK\r\n\r\n"))) {
            String address = plain.address().text().replace("http:", "https:");
            try (RemoteRateLimiter limiter = RemoteRateLimiter.of(address)
                    .transports(client)
                    .token("secret")
                    .build()) {
                assertThat(limiter.decide(Requests.get("/")).reason()).isEqualTo(Reason.FAILURE);
            }
            assertThat(plain.requests).isEmpty();
        }
    }
}
