package io.ratelimit.hazelcast;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.internal.namespace.impl.NodeEngineThreadLocalContext;
import io.ratelimit.TimeSource;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.BucketStoreFactory;
import io.ratelimit.store.StoreException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

class HazelcastBucketStoreFactoryTest {

    private final HazelcastBucketStoreFactory factory = new HazelcastBucketStoreFactory();
    private final String cluster = "test-" + UUID.randomUUID();

    @Test
    void theFactoryIsFoundByItsSettings() {
        assertThat(ServiceLoader.load(BucketStoreFactory.class))
                .anySatisfy(found -> assertThat(found.settings())
                        .containsExactly(
                                "cluster",
                                "clusterSecret",
                                "hazelcastClientConfig",
                                "hazelcastConfig",
                                "memberAddress",
                                "memberPort",
                                "members"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            members       | host:notaport    | the port of 'host:notaport' must be a number between 1 and 65535
            members       | 10.0.0.5:0       | the port of '10.0.0.5:0' must be a number between 1 and 65535
            members       | a,,b             | '' is not HOST:PORT or HOST
            members       | http://a:5701    | must be a number
            members       | 2001:db8::5      | must be a number
            memberPort    | 70000            | it must be a number between 1 and 65535
            memberPort    | five             | it must be a number between 1 and 65535
            memberAddress | 203.0.113.7      | it must be an address of this host that the other members can reach
            cluster       | " "              | it must not be empty
            clusterSecret | " "              | it must not be empty
            """)
    void aBadSettingIsNamedWithWhatWouldBeRight(String name, String value, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> factory.create(Map.of(name, value), TimeSource.system()))
                .withMessageStartingWith("setting " + name + " is '" + value + "'")
                .withMessageContaining(message);
    }

    @Test
    void membersMayBeHostsWithOrWithoutPortsAndIpv6() {
        MemberSettings settings =
                MemberSettings.parse(Map.of("members", "a.example, 10.0.0.5:5701,[2001:db8::5]:5702"));
        assertThat(settings.members()).containsExactly("a.example", "10.0.0.5:5701", "[2001:db8::5]:5702");
    }

    @Test
    void withoutMembersTheNeighbouringPortsAreAsked() {
        MemberSettings settings = MemberSettings.parse(Map.of("memberPort", "65530"));
        assertThat(settings.members()).hasSize(6).startsWith("127.0.0.1:65530").endsWith("127.0.0.1:65535");
    }

    @Test
    void aTakenPortIsPassedOverAndOnlyTheMembersAddressIsBound() throws Exception {
        int port = TestCluster.freePort();
        try (ServerSocket taken = bind(port);
                BucketStore store = factory.create(settings(port), TimeSource.system())) {
            assertThat(taken.isBound()).isTrue();
            String address = ((HazelcastBucketStore) store).memberAddress();
            assertThat(address).startsWith("127.0.0.1:").isNotEqualTo("127.0.0.1:" + port);
            int bound = Integer.parseInt(address.substring(address.indexOf(':') + 1));
            try (Socket elsewhere = new Socket()) {
                assertThatThrownBy(() -> elsewhere.connect(new InetSocketAddress("127.0.0.2", bound), 1_000))
                        .isInstanceOf(IOException.class);
            }
        }
    }

    @Test
    void aClientThatReachesNoMemberSaysSoInsteadOfWaitingForEver(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(
                directory.resolve("client.yaml"),
                "hazelcast-client: { network: { cluster-members: ['127.0.0.1:" + TestCluster.freePort() + "'] } }");
        assertThatThrownBy(() -> factory.create(
                        Map.of("hazelcastClientConfig", file.toString(), "cluster", cluster), TimeSource.system()))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("reaches no member of cluster '" + cluster + "'");
    }

    @Test
    void aSilentHostAmongTheMembersCostsNoProcessorTime() throws Exception {
        Set<Long> others = networkThreads();
        try (ServerSocket silent = bind(TestCluster.freePort())) {
            Map<String, String> settings = Map.of(
                    "cluster",
                    cluster,
                    "members",
                    "127.0.0.1:" + silent.getLocalPort(),
                    "memberPort",
                    Integer.toString(TestCluster.freePort()));
            CompletableFuture<BucketStore> starting =
                    CompletableFuture.supplyAsync(() -> factory.create(settings, TimeSource.system()));
            try {
                await().until(() -> networkNanos(others) > 0);
                long before = networkNanos(others);
                TimeUnit.SECONDS.sleep(2);
                assertThat(Duration.ofNanos(networkNanos(others) - before)).isLessThan(Duration.ofSeconds(1));
            } finally {
                silent.close();
                starting.join().close();
            }
        }
    }

    /** Threads of members that write to the network. */
    private static Set<Long> networkThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().contains(".IO.thread-out-"))
                .map(Thread::getId)
                .collect(Collectors.toSet());
    }

    private static long networkNanos(Set<Long> others) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return networkThreads().stream()
                .filter(thread -> !others.contains(thread))
                .mapToLong(thread -> Math.max(0, threads.getThreadCpuTime(thread)))
                .sum();
    }

    @Test
    void withoutAFreePortTheMessageSaysWhichWereTried() throws Exception {
        List<ServerSocket> taken = new ArrayList<>();
        int port = 65_533;
        try {
            for (int i = port; i <= 65_535; i++) {
                taken.add(bind(i));
            }
            assertThatThrownBy(() -> factory.create(settings(port), TimeSource.system()))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("none of the ports 65533 to 65535 of 127.0.0.1 is free");
        } finally {
            for (ServerSocket socket : taken) {
                socket.close();
            }
        }
    }

    @Test
    void aMemberThatNobodyAnswersSaysSoInOneLineAndRunsAlone() {
        Logger logger = (Logger) LoggerFactory.getLogger(EmbeddedMember.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        Map<String, String> settings = Map.of(
                "cluster", cluster, "memberPort", Integer.toString(TestCluster.freePort()), "members", "127.0.0.1:1");
        try (BucketStore store = factory.create(settings, TimeSource.system())) {
            assertThat(store).isNotNull();
            assertThat(lines.list)
                    .filteredOn(line -> line.getLevel() == Level.WARN)
                    .singleElement()
                    .satisfies(line -> assertThat(line.getFormattedMessage())
                            .contains("ALONE")
                            .contains(cluster)
                            .contains("127.0.0.1:1"));
        } finally {
            logger.detachAppender(lines);
        }
    }

    @Test
    void aMemberWhoseStoreCannotBeMadeIsEnded() {
        int port = TestCluster.freePort();
        TimeSource halfAClassPath = mock(TimeSource.class);
        when(halfAClassPath.nanoTime()).thenThrow(new NoClassDefFoundError("missing"));
        assertThatThrownBy(() -> factory.create(settings(port), halfAClassPath))
                .isInstanceOf(NoClassDefFoundError.class);
        assertThat(Hazelcast.getAllHazelcastInstances())
                .noneMatch(member -> member.getConfig().getClusterName().equals(cluster));
    }

    @Test
    void closingReleasesThePortAndTheThreads() throws Exception {
        int port = TestCluster.freePort();
        factory.create(settings(port), TimeSource.system()).close();
        bind(port).close();
        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(Thread::isAlive)
                .noneMatch(thread ->
                        thread.getName().startsWith("hz.") && thread.getName().contains(cluster));
    }

    /** A container's threads would keep the classes of an application that has ended. */
    @Test
    void theMemberStaysInNoThreadLocalOfWhoStartsAndEndsIt() throws Exception {
        NodeEngineThreadLocalContext.destroyNodeEngineReference();
        try (BucketStore store = factory.create(settings(TestCluster.freePort()), TimeSource.system())) {
            store.warmUp();
            requireNonNull(store.broadcaster()).listen(message -> {});
            assertThat(NodeEngineThreadLocalContext.getNodeEngineThreadLocalContextOrNull())
                    .isNull();
        }
        assertThat(NodeEngineThreadLocalContext.getNodeEngineThreadLocalContextOrNull())
                .isNull();
    }

    private Map<String, String> settings(int port) {
        return Map.of("cluster", cluster, "memberPort", Integer.toString(port));
    }

    private static ServerSocket bind(int port) throws IOException {
        return new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1"));
    }
}
