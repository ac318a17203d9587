package io.ratelimit.sample;

import static io.ratelimit.sample.Caller.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.core.EntryView;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.explain.DescribedRequest;
import io.ratelimit.hazelcast.HazelcastBucketStore;
import io.ratelimit.sample.Caller.Answer;
import io.ratelimit.sample.Load.Sample;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A host in this process, which sees the cluster's entries, beside processes that are killed under load. */
@Tag("cluster")
class KilledMemberIT {

    private static final String CLUSTER = "orders";
    private static final String MAP = "ratelimit.buckets";
    private static final int KILLS = 5;
    private static final int THREADS = 4;
    private static final int CLIENTS = 2_000;

    /** What the limit takes to fill, two seconds, and two hours in which wall clocks may be set. */
    private static final Duration LONGEST = Duration.ofHours(2).plusSeconds(10 + 2);

    private final Caller caller = new Caller();
    private final AtomicInteger requests = new AtomicInteger();

    @TempDir
    private Path directory;

    private RulesFile rules;
    private RateLimitEngine engine;
    private IMap<UUID, Object> entries;

    @BeforeEach
    void startHost() {
        rules = new RulesFile(directory, "- { name: everyone, match: { path: /api/** }, limits: 5 per 10s }");
        engine = RateLimitEngine.builder()
                .rules(rules.toString())
                .settings(Map.of("cluster", CLUSTER, "memberPort", "" + FreePorts.consecutive(1)))
                .build();
        engine.start();
        HazelcastInstance member = Hazelcast.getAllHazelcastInstances().stream()
                .filter(each -> each.getConfig().getClusterName().equals(CLUSTER))
                .findFirst()
                .orElseThrow();
        entries = member.getMap(MAP);
    }

    @AfterEach
    void stopHost() {
        engine.close();
    }

    @Test
    void noEntryIsWithoutAnEndThoughMembersDieInTheMidstOfWritingIt() throws Exception {
        int seen = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            try (SampleProcess killed = startProcess();
                    Load load = new Load(THREADS, thread -> askHereAndAt(killed.url()))) {
                TimeUnit.SECONDS.sleep(2);
                killed.signal("KILL");
                TimeUnit.SECONDS.sleep(2);
                assertThat(load.all()).anyMatch(Sample::isAnswered);
                seen = Math.max(seen, assertThatAllEnd());
            }
            assertThatAllEnd();
        }
        assertThat(seen).isGreaterThan(THREADS);
        await().atMost(Duration.ofMinutes(1)).until(() -> entries.isEmpty());
    }

    private SampleProcess startProcess() {
        return SampleProcess.start(
                        "--port",
                        "" + FreePorts.consecutive(1),
                        "--member-port",
                        "" + FreePorts.consecutive(1),
                        "--rules",
                        rules.toString(),
                        "--join",
                        ((HazelcastBucketStore) Objects.requireNonNull(engine.sharedStore())).memberAddress())
                .awaitReady();
    }

    /** Two clients of their own, each at both hosts in the course of time. */
    private Answer askHereAndAt(String url) {
        int request = requests.getAndIncrement();
        engine.limiter().decide(DescribedRequest.parse("GET /api/orders header:X-Api-Key=client-" + request % CLIENTS));
        return caller.get(url + "/api/orders", key("client-" + request * 7 % CLIENTS));
    }

    /** Looks at all entries that there are, and says how many. */
    private int assertThatAllEnd() {
        int seen = 0;
        for (UUID key : entries.keySet()) {
            EntryView<UUID, Object> entry = entries.getEntryView(key);
            if (entry != null) {
                seen++;
                assertThat(Duration.ofMillis(entry.getTtl())).isBetween(Duration.ofHours(2), LONGEST);
                assertThat(entry.getExpirationTime())
                        .isBetween(1L, System.currentTimeMillis() + LONGEST.toMillis() + 1_000);
            }
        }
        return seen;
    }
}
