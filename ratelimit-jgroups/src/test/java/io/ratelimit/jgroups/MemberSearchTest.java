package io.ratelimit.jgroups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import com.google.common.net.InetAddresses;
import io.ratelimit.core.retrieve.CapturedLog;
import io.ratelimit.jgroups.TestGroup.Host;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jgroups.stack.GossipRouter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The ways in which hosts find one another. */
@Tag("cluster")
class MemberSearchTest {

    private static final String SECRET = "a secret of the hosts";
    private static final String GMS = "<pbcast.GMS join_timeout=\"1000\"/>";
    private static final String STACK = """
            <config xmlns="urn:org:jgroups">
              <TCP bind_addr="127.0.0.1" bind_port="%1$d" port_range="3" diag.enabled="false"/>
              <TCPPING initial_hosts="127.0.0.1[%1$d]" port_range="3"/>
              <MERGE3/>
              <FD_ALL3/>
              <pbcast.NAKACK2 use_mcast_xmit="false"/>
              <UNICAST3/>
              <pbcast.STABLE/>
              %2$s
              <FRAG2/>
            </config>
            """;

    @TempDir
    private Path directory;

    private static void find(TestGroup group, String... second) {
        Host one = group.start();
        Host two = group.start(second);
        group.awaitHosts(2);
        one.tellAll("hello");
        await().untilAsserted(() -> assertThat(two.heard()).containsExactly("hello"));
    }

    @Test
    void hostsFindOneAnotherInAList() {
        int port = TestGroup.freePort();
        String list = "127.0.0.2:" + port + ", 127.0.0.3:" + (port + 20);
        try (TestGroup group = new TestGroup("transport", "udp", "members", list, "memberPort", "" + port)) {
            group.start("memberAddress", "127.0.0.2");
            group.start("memberAddress", "127.0.0.3", "memberPort", "" + (port + 20));
            group.awaitHosts(2);
        }
    }

    @Test
    void aNameStandsForAllItsAddresses() throws Exception {
        try (TestGroup group =
                new TestGroup("transport", "tcp", "members", "limiter.test", "memberAddress", "127.0.0.2")) {
            find(group, "memberAddress", "127.0.0.3");
        }
        ListedMembers named = (ListedMembers)
                new MemberSearchGrammar(InetAddress.getLoopbackAddress(), 7_800, 2).parse("limiter.test, [::1]:9");
        assertThat(named.lookUp(new HashSet<>()))
                .isEqualTo(List.of(
                        new InetSocketAddress(InetAddresses.forString("127.0.0.2"), 7_800),
                        new InetSocketAddress(InetAddresses.forString("127.0.0.2"), 7_801),
                        new InetSocketAddress(InetAddresses.forString("127.0.0.3"), 7_800),
                        new InetSocketAddress(InetAddresses.forString("127.0.0.3"), 7_801),
                        new InetSocketAddress(InetAddresses.forString("::1"), 9)));
    }

    @Test
    void aNameWithoutAnAddressIsSaidOnceUntilItHasHadOne() {
        ListedMembers named = (ListedMembers)
                new MemberSearchGrammar(InetAddress.getLoopbackAddress(), 7_800, 1).parse("multcast, 127.0.0.9");
        Set<String> missed = new HashSet<>();
        try (CapturedLog log = new CapturedLog(ListedMembers.class)) {
            assertThat(named.lookUp(missed)).hasSize(1);
            named.lookUp(missed);
            assertThat(log.warnings())
                    .singleElement()
                    .satisfies(line -> assertThat(line).contains("names 'multcast', which has no address"));
            missed.clear();
            named.lookUp(missed);
            assertThat(log.warnings()).hasSize(2);
        }
    }

    @Test
    void aHostThatFindsNobodyWhereItWasToldToLookSaysSo() {
        try (CapturedLog log = new CapturedLog(GroupChannel.class);
                TestGroup group = new TestGroup("transport", "tcp", "cluster", "lonely")) {
            group.start();
            assertThat(log.warnings()).isEmpty();
            group.start("members", "127.0.0.9:1");
            assertThat(log.warnings())
                    .singleElement()
                    .satisfies(line -> assertThat(line).startsWith("This host is ALONE in the group 'lonely'"));
        }
    }

    @Test
    void hostsFindOneAnotherByMulticast() {
        try (TestGroup group = new TestGroup(
                "transport", "udp", "members", "multicast:239.255.76.81:45589", "clusterSecret", SECRET)) {
            find(group);
        }
    }

    @Test
    void hostsFindOneAnotherInADirectory() throws Exception {
        Path shared = Files.createDirectory(directory.resolve("hosts"));
        try (CapturedLog log = new CapturedLog(DirectorySearch.class)) {
            new DirectorySearch(shared.toString()).protocol();
            assertThat(log.warnings()).isEmpty();
            new DirectorySearch(directory + "/missing").protocol();
            assertThat(log.warnings())
                    .singleElement()
                    .satisfies(line -> assertThat(line).contains(directory + "/missing, which is not there"));
        }
        try (TestGroup group = new TestGroup("transport", "udp", "members", "file:" + shared)) {
            find(group);
        }
    }

    @Test
    void hostsFindOneAnotherInATable() {
        String url = "jdbc:h2:mem:hosts;DB_CLOSE_DELAY=-1;USER=sa;PASSWORD=x";
        try (TestGroup group = new TestGroup("transport", "udp", "members", url)) {
            find(group);
        }
    }

    @Test
    void hostsFindOneAnotherByARegistry() throws Exception {
        int port = TestGroup.freePort();
        GossipRouter registry = new GossipRouter("127.0.0.1", port);
        registry.start();
        try (TestGroup group =
                new TestGroup("transport", "tcp", "members", "registry:127.0.0.1:" + port, "clusterSecret", SECRET)) {
            find(group);
        } finally {
            registry.stop();
        }
    }

    @Test
    void hostsFindOneAnotherByJGroupsOwnConfiguration() throws Exception {
        int port = TestGroup.freePort();
        Path xml = Files.writeString(directory.resolve("stack.xml"), STACK.formatted(port, GMS));
        try (CapturedLog log = new CapturedLog(ConfigurationFile.class);
                TestGroup group =
                        new TestGroup("transport", xml.toString(), "memberPort", "", "clusterSecret", SECRET)) {
            find(group);
            assertThat(log.warnings())
                    .hasSize(2)
                    .allSatisfy(line -> assertThat(line).contains("stack.xml', which has neither SYM_ENCRYPT"));
        }
    }

    @Test
    void aConfigurationWithoutAMembershipIsRefused() throws Exception {
        Path xml = Files.writeString(directory.resolve("stack.xml"), STACK.formatted(TestGroup.freePort(), ""));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ConfigurationFile(xml.toString()).channel())
                .withMessageContaining("setting transport is '" + xml + "': it must have a membership, pbcast.GMS");
    }
}
