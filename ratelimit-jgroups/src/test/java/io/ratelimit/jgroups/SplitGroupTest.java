package io.ratelimit.jgroups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ratelimit.Decision;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.RulesText;
import io.ratelimit.core.TestRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Three hosts, one of which loses its network and has it back. */
@Tag("cluster")
class SplitGroupTest {

    private static final RulesText RULES = new RulesText("""
            service: orders
            clients: [user]
            rules:
              - { name: everyone, limits: 100/d }
            """);

    /** Sums that nobody adds to are forgotten after twenty seconds. */
    private static final long REMEMBERED_NANOS = 18_000_000_000L;

    /** As the product builds it, over a link that can be parted. */
    private static final String STACK = """
            <config xmlns="urn:org:jgroups">
              <UDP bind_addr="127.0.0.1" bind_port="%1$d" port_range="9" ip_mcast="false" diag.enabled="false"/>
              <io.ratelimit.jgroups.PartedLink/>
              <TCPPING initial_hosts="127.0.0.1[%1$d]" port_range="9"/>
              <MERGE3 min_interval="1000" max_interval="3000"/>
              <FD_ALL3 interval="500" timeout="3000"/>
              <VERIFY_SUSPECT2 timeout="500"/>
              <pbcast.NAKACK2 use_mcast_xmit="false"/>
              <UNICAST3/>
              <pbcast.STABLE/>
              <pbcast.GMS join_timeout="1000" leave_timeout="500" print_local_addr="false"/>
              <FRAG2/>
            </config>
            """;

    private final List<RateLimitEngine> hosts = new ArrayList<>();
    private final List<PartedLink> links = new ArrayList<>();

    @TempDir
    private Path directory;

    @AfterEach
    void stop() {
        hosts.forEach(RateLimitEngine::close);
    }

    private void start(String topology) throws IOException {
        Path stack = Files.writeString(directory.resolve("stack.xml"), STACK.formatted(TestGroup.freePort()));
        String cluster = "split-" + UUID.randomUUID();
        for (int i = 0; i < 3; i++) {
            RateLimitEngine host = RateLimitEngine.builder()
                    .rules(RULES)
                    .setting("transport", stack.toString())
                    .setting("topology", topology)
                    .setting("cluster", cluster)
                    .setting("clusterSecret", "known to all")
                    .build();
            host.start();
            hosts.add(host);
            links.add(PartedLink.last());
        }
        awaitHosts(3, 3, 3);
    }

    private void awaitHosts(int... counts) {
        await().atMost(TestGroup.PATIENCE).untilAsserted(() -> {
            for (int i = 0; i < counts.length; i++) {
                assertThat(Objects.requireNonNull(hosts.get(i).sharedStore()).hosts())
                        .isEqualTo(counts[i]);
            }
        });
    }

    private Decision ask(int host, String client) {
        return hosts.get(host).limiter().decide(TestRequest.get("/").user(client));
    }

    private void spend(int host, String client, int tokens) {
        for (int i = 0; i < tokens; i++) {
            assertThat(ask(host, client).allowed()).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({"mesh, 14", "gossip, 14", "leader, 44"})
    void bothSidesGoOnAndWhatEitherLetPassCountsWhenTheyHaveMerged(String topology, int left) throws Exception {
        start(topology);
        List<String> clients = List.of("alice", "bob", "carol", "dave", "eve");
        for (String client : clients) {
            spend(0, client, 40);
            await().pollInterval(Duration.ofMillis(200))
                    .until(() -> ask(2, client).remaining() < 60);
        }

        links.get(2).discardAll(true);
        awaitHosts(2, 2, 1);
        for (String client : clients) {
            spend(0, client, 15);
            spend(2, client, 30);
        }
        long split = System.nanoTime();
        links.get(2).discardAll(false);
        awaitHosts(3, 3, 3);
        for (String client : clients) {
            spend(0, client, 1);
            spend(2, client, 1);
        }
        boolean isRemembered = System.nanoTime() - split < REMEMBERED_NANOS;
        TimeUnit.SECONDS.sleep(1);

        int both = 0;
        for (String client : clients) {
            // Each by itself, the first one would have 44, and the last one 29.
            int first = admitted(0, client);
            int last = admitted(2, client);
            assertThat(first).isLessThanOrEqualTo(isRemembered ? left : 44);
            assertThat(last).isLessThanOrEqualTo(isRemembered ? Math.min(left, 29) : 29);
            both += first + last;
            assertThat(ask(0, client).retryAfter())
                    .hasValueSatisfying(wait -> assertThat(wait).isLessThan(Duration.ofDays(1)));
        }
        if (isRemembered) {
            assertThat(both).isLessThan(clients.size() * (44 + 29));
        }
    }

    private int admitted(int host, String client) {
        int admitted = 0;
        while (ask(host, client).allowed()) {
            admitted++;
        }
        return admitted;
    }
}
