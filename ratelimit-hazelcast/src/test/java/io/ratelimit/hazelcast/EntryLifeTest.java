package io.ratelimit.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.core.EntryView;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import io.ratelimit.Decision;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.explain.DescribedRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How long the entries of clients live in a cluster of two hosts, in real time. */
class EntryLifeTest {

    private static final int CLIENTS = 10_000;
    private static final int THREADS = 8;
    private static final int HOSTS = 2;

    /** The longest that a limit of {@link #RULES} takes to fill, but for the daily one, and the margin. */
    private static final Duration LONGEST = Duration.ofSeconds(10 + 2 + 1);

    /** What entries live longer by the wall clock. */
    private static final Duration SPARE = Duration.ofSeconds(ClientBuckets.SPARE_SECONDS);

    private static final String RULES = """
            service: orders
            clients: [user]
            storeTimeout: 10s
            onFailure: closed
            rules:
              - { name: exact, match: { path: "/exact/**" }, limits: 5 per 10s }
              - { name: addresses, match: { path: /exact/addresses }, key: ip, limits: 1 per 1s }
              - { name: logins, match: { path: /login }, limits: 5 per 10s, charge: { when: response, status: 401 } }
              - { name: leased, match: { path: /leased }, sharing: leased, limits: 200 per 2s }
              - { name: daily, match: { path: /daily }, limits: 1 per 1d }
            """;

    private static final TestCluster CLUSTER = new TestCluster();
    private static final List<RateLimitEngine> ENGINES = new ArrayList<>();

    @TempDir
    private static Path directory;

    private static List<HazelcastInstance> members;

    @BeforeAll
    static void startHosts() throws IOException {
        Path rules = Files.writeString(directory.resolve("ratelimit.yaml"), RULES);
        for (int i = 0; i < HOSTS; i++) {
            RateLimitEngine engine = RateLimitEngine.builder()
                    .rules(rules.toString())
                    .settings(CLUSTER.settings())
                    .build();
            ENGINES.add(engine);
            engine.start();
        }
        String name = Objects.requireNonNull(CLUSTER.settings().get("cluster"));
        members = Hazelcast.getAllHazelcastInstances().stream()
                .filter(member -> member.getConfig().getClusterName().equals(name))
                .toList();
        assertThat(members).hasSize(HOSTS);
    }

    @AfterAll
    static void stopHosts() {
        ENGINES.forEach(RateLimitEngine::close);
    }

    /** Of other tests, and of the warm-up. */
    @BeforeEach
    void forgetClients() {
        map().clear();
    }

    @Test
    void anExhaustedClientIsKeptUntilItIsFullAgainAndHardlyLonger() {
        for (int i = 0; i < 6; i++) {
            decide(i, "/exact user=alice");
        }
        assertThat(lives())
                .singleElement()
                .satisfies(life -> assertThat(life).isBetween(Duration.ofSeconds(10), LONGEST));
    }

    @Test
    void aClientOfADayIsKeptForADayAndNotForTwo() {
        decide(0, "/daily user=alice");
        assertThat(lives())
                .singleElement()
                .satisfies(life -> assertThat(life).isBetween(Duration.ofDays(1), Duration.ofDays(2)));
    }

    @Test
    void anEntryThatASlowAndAQuickLimitShareIsKeptForTheSlowOne() {
        decide(0, "/daily user=alice");
        decide(1, "/exact user=alice");
        decide(0, "/login user=alice").settlement().complete(200);
        assertThat(lives())
                .singleElement()
                .satisfies(life -> assertThat(life).isBetween(Duration.ofDays(1), Duration.ofDays(2)));
    }

    @Test
    void aCostThatOnlyAWholeBucketHoldsPassesOnceAClientWithLeasesIsForgotten() {
        assertThat(decide(0, "/leased user=bob").allowed()).isTrue();
        Decision refused = decide(1, "/leased user=bob cost=190");
        assertThat(refused.allowed()).isFalse();
        assertThat(refused.retryAfter())
                .hasValueSatisfying(
                        wait -> assertThat(wait).isBetween(Duration.ofMillis(2_900), Duration.ofSeconds(4)));
        await().atMost(Duration.ofSeconds(4))
                .until(() -> decide(1, "/leased user=bob cost=190").allowed());
        assertThat(decide(0, "/leased user=bob cost=190").allowed()).isFalse();
        assertThat(decide(0, "/leased user=bob cost=201").retryAfter()).isEmpty();
    }

    @Test
    @Tag("cluster")
    void noneOfTenThousandClientsEverHasAnEntryWithoutAnEndAndAllGo() throws Exception {
        // Leases are taken once the number of hosts has been known for a while.
        ENGINES.forEach(engine -> decide(engine, "/leased user=somebody"));
        TimeUnit.SECONDS.sleep(4);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<?>> load = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int part = i;
                load.add(threads.submit(() -> spendAsEveryClientOf(part)));
            }
            int seen = 0;
            while (load.stream().anyMatch(each -> !each.isDone())) {
                seen = Math.max(seen, assertThatAllEnd());
            }
            for (Future<?> each : load) {
                each.get();
            }
            assertThat(seen).isGreaterThan(CLIENTS / 10);
        } finally {
            threads.shutdownNow();
        }
        assertThat(members)
                .allSatisfy(member -> assertThat(new HeldEntries(member).expiries())
                        .allMatch(expiry -> expiry.hasExpiry()
                                && expiry.getTtl() <= SPARE.plus(LONGEST).toMillis()));
        // Nobody asks for these clients any more. What is forgotten is looked for every five seconds.
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(members)
                        .allSatisfy(member ->
                                assertThat(new HeldEntries(member).expiries()).isEmpty()));
    }

    /** Charges that pass, are refused, are taken back because another key refused, are given back, and leases. */
    private static void spendAsEveryClientOf(int part) {
        for (int client = part; client < CLIENTS; client += THREADS) {
            String user = " user=client-" + client;
            decide(client, "/exact" + user);
            decide(client + 1, "/exact/addresses" + user + " ip=192.0.2." + client % 100);
            decide(client, "/login" + user).settlement().complete(client % 2 == 0 ? 200 : 401);
            if (client % 100 < THREADS) {
                for (int i = 0; i < 300; i++) {
                    decide(i, "/leased" + user);
                }
            }
        }
    }

    /** Looks at all entries that there are, and says how many. */
    private static int assertThatAllEnd() {
        List<Duration> lives = lives();
        assertThat(lives).allMatch(life -> life.compareTo(LONGEST) <= 0);
        return lives.size();
    }

    /** How long entries were to be kept when they were written last. */
    private static List<Duration> lives() {
        List<Duration> lives = new ArrayList<>();
        for (UUID key : map().keySet()) {
            EntryView<UUID, ClientBuckets> entry = map().getEntryView(key);
            if (entry != null) {
                assertThat(entry.getTtl()).isLessThan(Long.MAX_VALUE);
                assertThat(entry.getExpirationTime())
                        .isBetween(1L, System.currentTimeMillis() + entry.getTtl() + 1_000);
                lives.add(Duration.ofMillis(entry.getTtl()).minus(SPARE));
            }
        }
        return lives;
    }

    private static IMap<UUID, ClientBuckets> map() {
        return members.get(0).getMap(HazelcastBucketStore.MAP);
    }

    private static Decision decide(int host, String request) {
        return decide(ENGINES.get(host % HOSTS), request);
    }

    private static Decision decide(RateLimitEngine engine, String request) {
        return engine.limiter().decide(DescribedRequest.parse("GET " + request));
    }
}
