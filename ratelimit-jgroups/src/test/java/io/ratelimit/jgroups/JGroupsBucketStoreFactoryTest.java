package io.ratelimit.jgroups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.ratelimit.core.retrieve.CapturedLog;
import io.ratelimit.jgroups.TestGroup.Host;
import io.ratelimit.store.HostGroup;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JGroupsBucketStoreFactoryTest {

    @ParameterizedTest
    @CsvSource({"udp, ''", "udp, a secret of the hosts", "tcp, ''", "tcp, a secret of the hosts"})
    void hostsFindOneAnotherAndTellAllOthers(String transport, String secret) {
        try (TestGroup group = new TestGroup("transport", transport, "clusterSecret", secret)) {
            Host one = group.start();
            Host two = group.start();
            Host three = group.start();
            group.awaitHosts(3);

            one.tellAll("hello");

            await().untilAsserted(() -> assertThat(two.heard()).containsExactly("hello"));
            await().untilAsserted(() -> assertThat(three.heard()).containsExactly("hello"));
            assertThat(one.heard()).isEmpty();
            assertThat(one.broadcaster().group()).isNull();

            three.store().close();
            await().atMost(TestGroup.PATIENCE).until(() -> one.store().hosts() == 2);
        }
    }

    @Tag("cluster")
    @ParameterizedTest
    @ValueSource(strings = {"gossip", "leader"})
    void aHostTellsOneOtherAlone(String topology) {
        try (TestGroup group = new TestGroup("transport", "udp", "topology", topology)) {
            Host one = group.start();
            Host two = group.start();
            Host three = group.start();
            group.awaitHosts(3);
            HostGroup known = Objects.requireNonNull(one.broadcaster().group());
            assertThat(known.topology().name()).isEqualToIgnoringCase(topology);
            assertThat(known.members()).hasSize(3).contains(known.self()).isSameAs(known.members());
            UUID second = Objects.requireNonNull(two.broadcaster().group()).self();

            known.send(second, "hello".getBytes(StandardCharsets.UTF_8));
            known.send(UUID.randomUUID(), "nobody".getBytes(StandardCharsets.UTF_8));

            await().untilAsserted(() -> assertThat(two.heard()).containsExactly("hello"));
            assertThat(three.heard()).isEmpty();
        }
    }

    @Test
    void hostsThatTellDifferentlySaySo() {
        try (CapturedLog log = new CapturedLog(GroupChannel.class);
                TestGroup group = new TestGroup("transport", "udp")) {
            group.start("topology", "gossip");
            group.start("topology", "leader");
            await().atMost(TestGroup.PATIENCE)
                    .untilAsserted(() -> assertThat(log.errors())
                            .anySatisfy(line -> assertThat(line).contains("topology: leader and this host gossip"))
                            .anySatisfy(line -> assertThat(line).contains("topology: gossip and this host leader")));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"udp", "tcp"})
    void aHostWithAnotherSecretStaysOutAndAllSaySo(String transport) {
        try (CapturedLog log = new CapturedLog(Gate.class);
                TestGroup group = new TestGroup("transport", transport, "clusterSecret", "right")) {
            Host one = group.start();
            Host two = group.start();
            group.awaitHosts(2);
            Host stranger = group.start("clusterSecret", "wrong");
            await().atMost(TestGroup.PATIENCE)
                    .untilAsserted(() -> assertThat(log.errors()).hasSizeGreaterThanOrEqualTo(3));
            assertThat(log.errors())
                    .allSatisfy(line -> assertThat(line)
                            .contains("stays OUT")
                            .contains("clusterSecret")
                            .doesNotContain("right")
                            .doesNotContain("wrong"));
            stranger.tellAll("lies");
            one.tellAll("truth");
            await().untilAsserted(() -> assertThat(two.heard()).containsExactly("truth"));
            assertThat(stranger.heard()).isEmpty();
            assertThat(stranger.store().hosts()).isEqualTo(1);
            assertThat(one.store().hosts()).isEqualTo(2);
        }
    }

    @Tag("cluster")
    @ParameterizedTest
    @ValueSource(strings = {"", "a secret of the hosts"})
    void noiseDoesNoHarm(String secret) throws IOException {
        try (TestGroup group = new TestGroup("transport", "udp", "clusterSecret", secret)) {
            Host one = group.start();
            Host two = group.start();
            group.awaitHosts(2);
            flood(group.port(), new Random(1));
            one.tellAll("still here");
            await().untilAsserted(() -> assertThat(two.heard()).containsExactly("still here"));
            two.tellAll("so am I");
            await().untilAsserted(() -> assertThat(one.heard()).containsExactly("so am I"));
            assertThat(one.store().hosts()).isEqualTo(2);
        }
    }

    private static void flood(int port, Random random) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            for (int i = 0; i < 20_000; i++) {
                byte[] noise = new byte[random.nextInt(300)];
                random.nextBytes(noise);
                if (noise.length > 30) {
                    // As far as JGroups' own form goes.
                    noise[0] = 0x16;
                    noise[1] = 0;
                }
                socket.send(new DatagramPacket(noise, noise.length, InetAddress.getLoopbackAddress(), port + i % 2));
            }
        }
    }

    @Tag("cluster")
    @Test
    void noiseOnConnectionsDoesNoHarm() throws Exception {
        try (TestGroup group = new TestGroup("transport", "tcp", "clusterSecret", "a secret")) {
            Host one = group.start();
            Host two = group.start();
            group.awaitHosts(2);
            Random random = new Random(2);
            for (int i = 0; i < 50; i++) {
                try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), group.port() + i % 2)) {
                    byte[] noise = new byte[random.nextInt(5_000)];
                    random.nextBytes(noise);
                    socket.getOutputStream().write(noise);
                } catch (IOException e) {
                    // The host has hung up, as it may.
                }
            }
            one.tellAll("still here");
            await().untilAsserted(() -> assertThat(two.heard()).containsExactly("still here"));
            assertThat(two.store().hosts()).isEqualTo(2);
        }
    }

    @Tag("cluster")
    @Test
    void groupsOfDifferentNamesLeaveOneAnotherAlone() {
        int port = TestGroup.freePort();
        try (CapturedLog log = new CapturedLog(Gate.class);
                TestGroup group = new TestGroup("transport", "udp", "clusterSecret", "one", "memberPort", "" + port)) {
            Host orders = group.start("cluster", "orders");
            Host payments = group.start("cluster", "payments", "clusterSecret", "two");
            await().during(Duration.ofSeconds(3))
                    .atMost(TestGroup.PATIENCE)
                    .until(() -> orders.store().hosts() == 1 && payments.store().hosts() == 1);
            assertThat(log.errors()).isEmpty();
        }
    }

    @Tag("cluster")
    @Test
    void aHostWithoutAFreePortSaysSo() {
        try (TestGroup group = new TestGroup("transport", "tcp")) {
            for (int i = 0; i < GroupSettings.PORTS; i++) {
                group.start();
            }
            assertThatThrownBy(group::start)
                    .hasMessageContaining("could not be joined")
                    .hasMessageContaining(String.valueOf(group.port()));
        }
    }
}
