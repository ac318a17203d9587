package io.ratelimit.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.ratelimit.ClientIdentifier;
import io.ratelimit.TimeSource;
import io.ratelimit.core.SelfSigned;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hosts that find one another by Hazelcast's own configuration. */
@Tag("cluster")
class DiscoveryTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final List<String> ADDRESSES = List.of("127.0.0.2", "127.0.0.3");

    @TempDir
    private Path directory;

    private final String cluster = "test-" + UUID.randomUUID();
    private final int port = TestCluster.freePort();
    private final int clientPort = TestCluster.freePort();
    private final List<BucketStore> stores = new ArrayList<>();

    @AfterEach
    void stopStores() {
        stores.forEach(BucketStore::close);
    }

    @Test
    void hostsFindOneAnotherByTheApiOfKubernetes() throws Exception {
        SelfSigned identity = SelfSigned.in(directory);
        HttpsServer api = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        api.setHttpsConfigurator(new HttpsConfigurator(identity.context()));
        api.createContext("/", exchange -> {
            boolean slices = exchange.getRequestURI().getPath().endsWith("/namespaces/shop/endpointslices");
            byte[] body = (slices ? endpointSlices() : "{}").getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(slices ? 200 : 404, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        api.start();
        try {
            String join = "kubernetes: { enabled: true, namespace: shop, service-name: orders, api-token: none,"
                    + " ca-certificate: \"" + identity.certificate().replace("\n", "\\n") + "\","
                    + " kubernetes-master: 'https://127.0.0.1:"
                    + api.getAddress().getPort() + "' }";
            startBoth(join);
            assertThatTheyShareABudget();
        } finally {
            api.stop(0);
        }
    }

    @Test
    void hostsFindOneAnotherByDns() throws Exception {
        startBoth("kubernetes: { enabled: true, service-dns: orders.hosts.test, service-port: " + port + " }");
        assertThatTheyShareABudget();
    }

    @Test
    void aHostMayBeAClient() throws Exception {
        startBoth("tcp-ip: { enabled: true, member-list: ['127.0.0.2:" + port + "', '127.0.0.3:" + port + "'] }");
        Path file = Files.writeString(directory.resolve("client.yaml"), """
                hazelcast-client:
                  network: { cluster-members: ['127.0.0.2:%d', '127.0.0.3:%d'] }
                """.formatted(clientPort, clientPort));
        BucketStore client = store(Map.of("hazelcastClientConfig", file.toString(), "cluster", cluster));
        assertThat(spend(client, 70)).isTrue();
        assertThat(spend(stores.get(0), 40)).isFalse();
        assertThat(client.hosts()).isZero();
        assertThat(stores.get(0).hosts()).isEqualTo(2);
    }

    @Test
    void aFileThatIsNoneIsAnErrorThatNamesIt() {
        assertThatThrownBy(() -> store(Map.of("hazelcastConfig", "classpath:nowhere.yaml")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("setting hazelcastConfig is 'classpath:nowhere.yaml'")
                .hasMessageContaining("the class path has no nowhere.yaml");
        assertThatThrownBy(() -> store(Map.of("hazelcastConfig", "x.yaml", "members", "10.0.0.1")))
                .hasMessageContaining("leave members out");
    }

    private void startBoth(String join) throws IOException {
        for (String address : ADDRESSES) {
            Path file = Files.writeString(
                    directory.resolve(address + ".yaml"), """
                    hazelcast:
                      properties:
                        hazelcast.wait.seconds.before.join: 1
                        hazelcast.socket.bind.any: false
                        hazelcast.local.localAddress: %s
                      advanced-network:
                        enabled: true
                        member-server-socket-endpoint-config: { port: { port: %d, auto-increment: false } }
                        client-server-socket-endpoint-config: { port: { port: %d, auto-increment: false } }
                        join:
                          auto-detection: { enabled: false }
                          %s
                    """.formatted(address, port, clientPort, join));
            store(Map.of("hazelcastConfig", file.toString(), "cluster", cluster));
        }
    }

    private BucketStore store(Map<String, String> settings) {
        BucketStore store = new HazelcastBucketStoreFactory().create(settings, TimeSource.system());
        stores.add(store);
        return store;
    }

    private void assertThatTheyShareABudget() {
        await().atMost(TIMEOUT).until(() -> stores.stream().allMatch(store -> store.hosts() == 2));
        assertThat(spend(stores.get(0), 70)).isTrue();
        assertThat(spend(stores.get(1), 40)).isFalse();
        assertThat(spend(stores.get(1), 30)).isTrue();
    }

    private static boolean spend(BucketStore store, long cost) {
        BucketSpec spec =
                new BucketSpec("orders", "daily", 1, List.of(Limit.of(100, Duration.ofDays(1))), StorePolicy.UNSET);
        return store.spend(List.of(new Charge(ClientIdentifier.of("user", "alice"), spec, cost)), TIMEOUT)
                .toCompletableFuture()
                .join()
                .allowed();
    }

    private String endpointSlices() {
        String endpoints = String.join(
                ", ",
                ADDRESSES.stream()
                        .map(address -> "{\"addresses\": [\"" + address + "\"], \"conditions\": {\"ready\": true}}")
                        .toList());
        return """
                {"kind": "EndpointSliceList", "items": [{
                  "metadata": {"name": "orders-x7k2p"},
                  "endpoints": [%s],
                  "ports": [{"name": "hazelcast", "port": %d}]
                }]}
                """.formatted(endpoints, port);
    }
}
