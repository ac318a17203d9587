package io.ratelimit.core.broadcast;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.broadcast.SlowGroup.Host;
import io.ratelimit.core.bucket.LocalBucketStore;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.Charge;
import io.ratelimit.store.HostGroup.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Under limits that are so large that hosts do not tell one another each token. */
class SilenceTest {

    private static final ClientIdentifier HOT = ClientIdentifier.of("user", "alice");

    /** Each of three hosts may be silent about 260 tokens, and 260 more each second. */
    private static final BucketSpec PER_SECOND = spec(Limit.of(100_000, Duration.ofSeconds(1)));

    /** Each of three hosts may be silent about 260 tokens, and one more every 14 seconds. */
    private static final BucketSpec PER_HOUR = spec(Limit.of(100_000, Duration.ofHours(1)));

    private static final BucketSpec PER_DAY = spec(Limit.of(100_000, Duration.ofDays(1)));

    private static final int SHARES = 100_000 / 128;

    private static BucketSpec spec(Limit limit) {
        return new BucketSpec("orders", "everyone", 1, List.of(limit), StorePolicy.UNSET);
    }

    /** Comes and goes among 5,000, each of which comes once in five seconds. */
    private static void coolClientsCome(List<Host> hosts, Random random) {
        for (int i = 0; i < 20; i++) {
            ClientIdentifier cool = ClientIdentifier.of("user", "client" + random.nextInt(5_000));
            assertThat(hosts.get(random.nextInt(hosts.size())).admits(cool, PER_SECOND))
                    .isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void thousandsOfCoolClientsCauseNoMessages(Topology topology) {
        SlowGroup group = new SlowGroup(topology, 1);
        List<Host> hosts = group.open(3);
        Random random = new Random(2);
        group.pass(Duration.ofSeconds(1));
        group.forgetTraffic();
        group.pass(Duration.ofSeconds(30), Duration.ofMillis(20), () -> coolClientsCome(hosts, random));
        // Hosts that gossip compare what they know every five seconds: nothing.
        assertThat(group.messagesPerHost()).isLessThanOrEqualTo(topology == Topology.GOSSIP ? 30 / 5 * 2 : 0);
        assertThat(group.longestMessage()).isLessThan(60);
    }

    @ParameterizedTest
    @EnumSource
    void aHotClientAmongCoolOnesIsToldOf(Topology topology) {
        SlowGroup group = new SlowGroup(topology, 3);
        List<Host> hosts = group.open(3);
        Random random = new Random(4);
        int[] turn = {0};
        group.pass(Duration.ofSeconds(2), Duration.ofMillis(20), () -> {
            coolClientsCome(hosts, random);
            hosts.get(turn[0]++ % 3).spend(HOT, PER_SECOND, 1_000);
        });
        assertThat(hosts.get(0).spend(HOT, PER_SECOND, 90_000).allowed()).isTrue();
        group.pass(Duration.ofMillis(150));
        for (Host host : hosts) {
            assertThat(host.remaining(HOT, PER_SECOND)).isLessThan(10_000 + 15_500);
        }
    }

    @ParameterizedTest
    @EnumSource
    void hostsAreNeverSilentAboutMoreThanTheirShares(Topology topology) {
        SlowGroup group = new SlowGroup(topology, 5);
        List<Host> hosts = group.open(3);
        int[] turn = {0};
        group.pass(
                Duration.ofSeconds(5),
                Duration.ofMillis(1),
                () -> hosts.get(turn[0]++ % 3).spend(HOT, PER_HOUR, 1));
        group.pass(Duration.ofSeconds(1));
        long left = 100_000L - turn[0];
        for (Host host : hosts) {
            assertThat(host.remaining(HOT, PER_HOUR)).isBetween(left, left + SHARES + 200);
        }
    }

    @ParameterizedTest
    @EnumSource
    void inTheEndAllKnowOfAClientWhoHasGone(Topology topology) {
        SlowGroup group = new SlowGroup(topology, 6);
        List<Host> hosts = group.open(3);
        group.pass(Duration.ofSeconds(1));
        hosts.forEach(host -> host.spend(HOT, PER_DAY, 250));
        group.pass(Duration.ofSeconds(10));
        // 100,000 a day are 1.16 a second.
        hosts.forEach(host -> assertThat(host.remaining(HOT, PER_DAY)).isEqualTo(99_750 + 11));
        group.pass(Duration.ofSeconds(60));
        hosts.forEach(host -> assertThat(host.remaining(HOT, PER_DAY)).isBetween(99_250L + 79, 99_250L + 83));
    }

    @ParameterizedTest
    @EnumSource
    void whoWasCoolForLongAndThenSpendsAllHasNoMoreThanTheShareElsewhere(Topology topology) {
        SlowGroup group = new SlowGroup(topology, 7);
        List<Host> hosts = group.open(3);
        hosts.get(0).spend(HOT, PER_HOUR, 300);
        group.pass(
                Duration.ofMinutes(4),
                Duration.ofSeconds(18),
                () -> hosts.get(0).spend(HOT, PER_HOUR, 1));
        assertThat(hosts.get(0).spend(HOT, PER_HOUR, 98_000).allowed()).isTrue();
        // Of whom a leader has heard nothing it tells nothing.
        hosts.subList(1, 3).forEach(host -> host.spend(HOT, PER_HOUR, 300));
        group.pass(Duration.ofMillis(200));
        for (Host host : hosts) {
            assertThat(host.remaining(HOT, PER_HOUR)).isBetween(2_000L - 600, 2_000L - 600 + SHARES);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whoStaysBelowALargeLimitIsNeverRefused(Topology topology) {
        SlowGroup group = new SlowGroup(topology, 8);
        List<Host> hosts = group.open(10);
        Random random = new Random(9);
        group.pass(
                Duration.ofSeconds(10),
                Duration.ofMillis(1),
                () -> assertThat(hosts.get(random.nextInt(10))
                                .spend(HOT, PER_SECOND, 95)
                                .allowed())
                        .isTrue());
    }

    @ParameterizedTest
    @CsvSource({"GOSSIP, 3, 1.05", "LEADER, 3, 1.05", "GOSSIP, 3, 2", "LEADER, 3, 2"})
    void inTheLongRunALargeLimitHolds(Topology topology, int count, double overload) {
        requireTheLimitToHold(topology, count, overload, 10);
    }

    @ParameterizedTest
    @CsvSource({"GOSSIP, 100, 1.05", "LEADER, 100, 1.05", "LEADER, 100, 2"})
    @Tag("cluster")
    void inTheLongRunALargeLimitHoldsAmongAHundred(Topology topology, int count, double overload) {
        requireTheLimitToHold(topology, count, overload, 10);
    }

    private static void requireTheLimitToHold(Topology topology, int count, double overload, int seconds) {
        SlowGroup group = new SlowGroup(topology, 10);
        List<Host> hosts = group.open(count);
        // Until the buckets are empty.
        overload(group, hosts, Duration.ofSeconds(4), 2);
        overload(group, hosts, Duration.ofSeconds(4), overload);
        long admitted = overload(group, hosts, Duration.ofSeconds(seconds), overload);
        assertThat(admitted / 100_000.0 / seconds).isBetween(0.99, 1.01);
    }

    /** Asks at all hosts in turn, evenly, token by token. */
    private static long overload(SlowGroup group, List<Host> hosts, Duration time, double times) {
        long[] admitted = {0};
        long[] turn = {0};
        double[] due = {0};
        group.pass(time, Duration.ofMillis(1), () -> {
            for (due[0] += 100 * times; due[0] >= 1; due[0]--) {
                if (hosts.get((int) (turn[0]++ % hosts.size())).admits(HOT, PER_SECOND)) {
                    admitted[0]++;
                }
            }
        });
        return admitted[0];
    }

    @Test
    void whereEachTellsAllTheLimitHoldsInTheLongRunToo() {
        ManualTimeSource clock = new ManualTimeSource(-9_000_000_000L);
        SlowPost post = new SlowPost(clock, new Random(11));
        List<BroadcastingBucketStore> hosts = new ArrayList<>();
        Stream.generate(post::open)
                .limit(3)
                .toList()
                .forEach(station ->
                        hosts.add(new BroadcastingBucketStore(new LocalBucketStore(clock, 10_000), station, clock)));
        long admitted = 0;
        for (int milli = 0; milli < 20_000; milli++) {
            for (int i = 0; i < (milli < 5_000 ? 200 : 105); i++) {
                boolean allowed = hosts.get(i % 3)
                        .spend(List.of(new Charge(HOT, PER_SECOND, 1)), Duration.ofMillis(20))
                        .toCompletableFuture()
                        .join()
                        .allowed();
                admitted += allowed && milli >= 10_000 ? 1 : 0;
            }
            if (milli % 50 == 0) {
                hosts.forEach(BroadcastingBucketStore::flush);
                post.deliver();
            }
            clock.advance(Duration.ofMillis(1));
        }
        assertThat(admitted / 1_000_000.0).isBetween(0.99, 1.01);
    }
}
