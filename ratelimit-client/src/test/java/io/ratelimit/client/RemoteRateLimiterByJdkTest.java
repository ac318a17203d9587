package io.ratelimit.client;

import org.junit.jupiter.api.Tag;

/** The same with the JDK's client; what is its own is in {@link TransportTest} and {@link HttpsTest}. */
@Tag("cluster")
class RemoteRateLimiterByJdkTest extends RemoteRateLimiterTest {

    @Override
    TransportFactory transports() {
        return Client.JDK;
    }
}
