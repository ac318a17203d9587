package io.ratelimit.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

@ResourceLock("java.net.ProxySelector")
class InstalledClientTest {

    private final ProxySelector before = ProxySelector.getDefault();

    @AfterEach
    void restore() {
        ProxySelector.setDefault(before);
    }

    private static Transport open(String address) {
        return new InstalledClient().open(DaemonAddress.parse(address), null, Integer.MAX_VALUE);
    }

    private static void select(List<Proxy> proxies) {
        ProxySelector.setDefault(new ProxySelector() {
            @Override
            public List<Proxy> select(URI uri) {
                return proxies;
            }

            @Override
            public void connectFailed(URI uri, SocketAddress address, IOException failure) {}
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://127.0.0.1:1", "https://127.0.0.1:1", "unix:/run/nothing.sock"})
    void jettysClientIsTakenWhereItIsThere(String address) {
        try (Transport transport = open(address)) {
            assertThat(transport).isInstanceOf(JettyTransport.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://limits.example.org", "https://limits.example.org"})
    void theJdksClientIsTakenBehindAProxy(String address) {
        select(List.of(new Proxy(Proxy.Type.HTTP, InetSocketAddress.createUnresolved("proxy.example.org", 3128))));

        try (Transport transport = open(address)) {
            assertThat(transport).isInstanceOf(JdkTransport.class);
        }
    }

    @Test
    void aSocketHasNoProxy() {
        select(List.of(new Proxy(Proxy.Type.HTTP, InetSocketAddress.createUnresolved("proxy.example.org", 3128))));

        try (Transport transport = open("unix:/run/nothing.sock")) {
            assertThat(transport).isInstanceOf(JettyTransport.class);
        }
    }

    @ParameterizedTest
    @EnumSource(value = Proxy.Type.class, mode = Mode.EXCLUDE, names = "HTTP")
    void whatIsNoProxyOfHttpIsNone(Proxy.Type type) {
        select(List.of(
                type == Proxy.Type.DIRECT
                        ? Proxy.NO_PROXY
                        : new Proxy(type, InetSocketAddress.createUnresolved("proxy.example.org", 1080))));

        try (Transport transport = open("http://limits.example.org")) {
            assertThat(transport).isInstanceOf(JettyTransport.class);
        }
    }

    @Test
    void whereNobodySelectsProxiesThereAreNone() {
        ProxySelector.setDefault(null);

        try (Transport transport = open("http://limits.example.org")) {
            assertThat(transport).isInstanceOf(JettyTransport.class);
        }
    }

    @Test
    void aProxyIsAskedInsteadOfTheDaemon() throws Exception {
        String allowed = StubDaemon.ALLOWED;
        try (ScriptedServer proxy = new ScriptedServer(ScriptedServer.saying(
                "HTTP/1.1 200 OK\r\nContent-Length: " + allowed.length() + "\r\n\r\n" + allowed))) {
            URI address = URI.create(proxy.address().text());
            select(List.of(new Proxy(Proxy.Type.HTTP, new InetSocketAddress("127.0.0.1", address.getPort()))));
            try (RemoteRateLimiter limiter =
                    RemoteRateLimiter.of("http://limits.invalid:8601").build()) {
                limiter.decide(Requests.get("/"));
            }

            assertThat(proxy.requests)
                    .isNotEmpty()
                    .allMatch(request -> request.startsWith("POST http://limits.invalid:8601/v1/decide "));
        }
    }
}
