package io.ratelimit.client.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.client.http.Stub.Answer;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientBuilder;
import java.io.InputStream;
import java.time.Duration;
import org.apache.hc.client5.http.impl.DefaultHttpRequestRetryStrategy;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.core5.util.TimeValue;
import org.glassfish.jersey.apache5.connector.Apache5ClientProperties;
import org.glassfish.jersey.apache5.connector.Apache5ConnectorProvider;
import org.glassfish.jersey.client.ClientConfig;
import org.junit.jupiter.api.Test;

/** A client whose connections are counted: one for each call, which is in the pool again when its answer has been read. */
class PooledConnectionsTest {

    private static Client client(PoolingHttpClientConnectionManager pool) {
        ClientConfig config = new ClientConfig()
                .connectorProvider(new Apache5ConnectorProvider())
                // Which would try again by itself.
                .property(
                        Apache5ClientProperties.RETRY_STRATEGY,
                        new DefaultHttpRequestRetryStrategy(0, TimeValue.ZERO_MILLISECONDS))
                .property(Apache5ClientProperties.CONNECTION_MANAGER, pool);
        return ClientBuilder.newClient(config)
                .register(RetryingFeature.builder()
                        .waits(Duration.ZERO, Duration.ofMillis(1))
                        .retryBudget(1_000)
                        .build());
    }

    @Test
    void refusedAttemptsKeepNoConnectionOfThePool() throws Exception {
        Answer[] answers = new Answer[150];
        for (int i = 0; i < answers.length; i++) {
            answers[i] = new Answer(i % 3 == 2 ? 200 : 429, null);
        }
        PoolingHttpClientConnectionManager pool = new PoolingHttpClientConnectionManager();
        pool.setDefaultMaxPerRoute(2);
        try (Stub stub = new Stub(answers);
                Client client = client(pool)) {
            for (int i = 0; i < 50; i++) {
                assertThat(client.target(stub.uri()).request().get(String.class))
                        .isEqualTo("status 200");
            }

            assertThat(pool.getTotalStats().getLeased()).isZero();
        }
    }

    @Test
    void anAnswerIsReadAsItComesAndItsConnectionLetGoWhenItIsClosed() throws Exception {
        PoolingHttpClientConnectionManager pool = new PoolingHttpClientConnectionManager();
        try (Stub stub = Stub.of(429, 200);
                Client client = client(pool)) {
            try (InputStream body = client.target(stub.uri()).request().get(InputStream.class)) {
                assertThat(pool.getTotalStats().getLeased()).isEqualTo(1);
                assertThat(body.readAllBytes()).asString().isEqualTo("status 200");
            }

            assertThat(pool.getTotalStats().getLeased()).isZero();
        }
    }
}
