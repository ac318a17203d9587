package io.ratelimit.core.broadcast;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.core.broadcast.SlowGroup.Host;
import io.ratelimit.core.retrieve.CapturedLog;
import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.HostGroup.Topology;
import io.ratelimit.store.SpendOutcome;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds in each topology of a group. */
class GroupTest {

    private static final ClientIdentifier CLIENT = ClientIdentifier.of("user", "alice");
    private static final BucketSpec FOUR_PER_SECOND = spec(Limit.of(4, Duration.ofSeconds(1)));
    private static final BucketSpec HUNDRED_PER_SECOND = spec(Limit.of(100, Duration.ofSeconds(1)));
    private static final BucketSpec HUNDRED_PER_DAY = spec(Limit.of(100, Duration.ofDays(1)));

    private static BucketSpec spec(Limit limit) {
        return new BucketSpec("orders", "everyone", 1, List.of(limit), StorePolicy.UNSET);
    }

    @ParameterizedTest
    @EnumSource
    void fourThatAreSpreadPassAndTheFifthIsRefusedEverywhere(Topology topology) {
        SlowGroup group = new SlowGroup(topology, 1);
        List<Host> hosts = group.open(3);
        for (int i = 0; i < 4; i++) {
            assertThat(hosts.get(i % 3).admits(CLIENT, FOUR_PER_SECOND)).isTrue();
        }
        group.pass(Duration.ofMillis(150));
        for (Host host : hosts) {
            assertThat(host.admits(CLIENT, FOUR_PER_SECOND)).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void theExcessOfABurstAtAllHostsIsPaidBackByWaiting(Topology topology) {
        SlowGroup group = new SlowGroup(topology, 2);
        List<Host> hosts = group.open(3);
        for (Host host : hosts) {
            for (int i = 0; i < 4; i++) {
                assertThat(host.admits(CLIENT, FOUR_PER_SECOND)).isTrue();
            }
        }
        group.pass(Duration.ofMillis(150));
        group.pass(
                Duration.ofMillis(1_800),
                Duration.ofMillis(10),
                () -> hosts.forEach(
                        host -> assertThat(host.admits(CLIENT, FOUR_PER_SECOND)).isFalse()));
        group.pass(Duration.ofMillis(400));
        assertThat(hosts.get(0).admits(CLIENT, FOUR_PER_SECOND)).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void whoStaysBelowTheLimitIsNeverRefused(Topology topology) {
        SlowGroup group = new SlowGroup(topology, 3);
        List<Host> hosts = group.open(10);
        Random random = new Random(4);
        group.pass(
                Duration.ofSeconds(20),
                Duration.ofMillis(11),
                () -> assertThat(hosts.get(random.nextInt(10)).admits(CLIENT, HUNDRED_PER_SECOND))
                        .isTrue());
    }

    @ParameterizedTest
    @CsvSource({
        "GOSSIP, 3, 0, 2", "GOSSIP, 3, 0.3, 10", "GOSSIP, 10, 0.3, 2", "GOSSIP, 10, 0, 10",
        "LEADER, 3, 0, 2", "LEADER, 3, 0.3, 10", "LEADER, 10, 0.3, 2", "LEADER, 10, 0, 10"
    })
    @Tag("cluster")
    void inTheLongRunTheLimitHolds(Topology topology, int count, double lost, int overload) {
        requireTheLimitToHold(topology, count, lost, overload, 30);
    }

    @ParameterizedTest
    @CsvSource({"GOSSIP, 100, 0, 10", "GOSSIP, 100, 0.3, 2", "LEADER, 100, 0, 10", "LEADER, 100, 0.3, 2"})
    @Tag("cluster")
    void inTheLongRunTheLimitHoldsAmongAHundred(Topology topology, int count, double lost, int overload) {
        requireTheLimitToHold(topology, count, lost, overload, 90);
    }

    private static void requireTheLimitToHold(Topology topology, int count, double lost, int overload, int seconds) {
        SlowGroup group = new SlowGroup(topology, 5).loses(lost).repeats(0.1);
        List<Host> hosts = group.open(count);
        overload(group, hosts, Duration.ofSeconds(10), overload);
        group.forgetTraffic();
        long admitted = overload(group, hosts, Duration.ofSeconds(seconds), overload);
        assertThat(admitted / 100.0 / seconds).isBetween(0.99, 1.01);
        assertThat(group.messagesPerHost() / seconds).isLessThan(100);
        assertThat(group.longestMessage()).isLessThanOrEqualTo(1_400);
    }

    @ParameterizedTest
    @EnumSource
    void allKnowInTheEndThoughMessagesAreLostAndComeTwiceAndInAnotherOrder(Topology topology) {
        SlowGroup group = new SlowGroup(topology, 6).loses(0.2).repeats(0.3).takesUpTo(Duration.ofMillis(400));
        List<Host> hosts = group.open(30);
        int[] spent = {0};
        group.pass(
                Duration.ofSeconds(1),
                Duration.ofMillis(20),
                () -> hosts.get(spent[0]++ % 30).admits(CLIENT, HUNDRED_PER_DAY));
        group.pass(Duration.ofSeconds(18));
        for (Host host : hosts) {
            // A host that begins to hear how the bucket stands may lose what was spent on it in that moment.
            assertThat(host.remaining(CLIENT, HUNDRED_PER_DAY)).isBetween(100L - spent[0], 101L - spent[0]);
        }
    }

    @Test
    void noneOfAHundredGossipingHostsMissesAClientWhoDoesNotComeAgain() {
        SlowGroup group = new SlowGroup(Topology.GOSSIP, 14);
        List<Host> hosts = group.open(100);
        List<ClientIdentifier> clients = IntStream.range(0, 60)
                .mapToObj(i -> ClientIdentifier.of("user", "client-" + i))
                .toList();
        for (int i = 0; i < clients.size(); i++) {
            hosts.get(i).admits(clients.get(i), HUNDRED_PER_DAY);
        }
        group.pass(Duration.ofSeconds(12));
        for (Host host : hosts) {
            assertThat(clients)
                    .allSatisfy(client ->
                            assertThat(host.remaining(client, HUNDRED_PER_DAY)).isEqualTo(99));
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("cluster")
    void ofClientsWhoHaveGoneNobodySpeaksAnyMore(Topology topology) {
        SlowGroup group = new SlowGroup(topology, 15).loses(0.1);
        List<Host> hosts = group.open(20);
        List<ClientIdentifier> clients = IntStream.range(0, 50)
                .mapToObj(i -> ClientIdentifier.of("user", "client-" + i))
                .toList();
        int[] turn = {0};
        group.pass(Duration.ofSeconds(5), Duration.ofMillis(10), () -> {
            int i = turn[0]++;
            hosts.get(i % 20).admits(clients.get(i % 50), HUNDRED_PER_DAY);
        });
        group.pass(Duration.ofSeconds(60));
        group.forgetTraffic();
        group.pass(Duration.ofSeconds(60));
        // With gossip, a host asks whether it has missed something every five seconds.
        assertThat(group.messagesPerHost()).isLessThan(15);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("cluster")
    void aGroupThatWasSplitAndMergedNeitherLocksOutNorLetsMorePass(Topology topology) {
        SlowGroup group = new SlowGroup(topology, 7);
        List<Host> hosts = group.open(10);
        overload(group, hosts, Duration.ofSeconds(10), 10);
        hosts.subList(0, 4).forEach(host -> host.isOn(1));
        group.lookAround();
        // Each side is alone.
        assertThat(overload(group, hosts, Duration.ofSeconds(30), 10)).isBetween(5_900L, 6_400L);
        hosts.forEach(host -> host.isOn(0));
        group.lookAround();
        assertThat(overload(group, hosts, Duration.ofSeconds(10), 10)).isBetween(900L, 1_100L);
        assertThat(overload(group, hosts, Duration.ofSeconds(20), 10)).isBetween(1_980L, 2_020L);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("cluster")
    void aHostThatIsFrozenAndGoesOnDoesNoHarm(Topology topology) {
        SlowGroup group = new SlowGroup(topology, 8);
        List<Host> hosts = group.open(5);
        overload(group, hosts, Duration.ofSeconds(5), 10);
        for (Host frozen : hosts) {
            List<Host> others = hosts.stream().filter(other -> other != frozen).toList();
            frozen.isFrozen(true);
            // Until they notice, those whom it led are alone.
            assertThat(overload(group, others, Duration.ofSeconds(3), 10)).isBetween(290L, 4 * 300L + 100);
            others.forEach(other -> other.sees(seen -> seen != frozen));
            overload(group, others, Duration.ofSeconds(4), 10);
            frozen.isFrozen(false);
            group.lookAround();
            assertThat(overload(group, hosts, Duration.ofSeconds(5), 10)).isBetween(350L, 620L);
        }
        assertThat(overload(group, hosts, Duration.ofSeconds(20), 10)).isBetween(1_980L, 2_020L);
    }

    @Test
    void whoeverIsAboveInPlaceOfAHostThatWasFrozenIsToldHowBucketsStand() {
        SlowGroup group = new SlowGroup(Topology.LEADER, 12);
        List<Host> hosts = group.open(3);
        List<ClientIdentifier> clients = IntStream.range(0, 300)
                .mapToObj(i -> ClientIdentifier.of("user", "client-" + i))
                .toList();
        Host frozen = hosts.get(0);
        frozen.isFrozen(true);
        for (ClientIdentifier client : clients) {
            assertThat(hosts.get(1).spend(client, HUNDRED_PER_DAY, 100).allowed())
                    .isTrue();
        }
        group.pass(Duration.ofSeconds(3));
        hosts.subList(1, 3).forEach(host -> host.sees(seen -> seen != frozen));
        group.pass(Duration.ofMillis(200));
        long unknown = clients.stream()
                .filter(client -> hosts.get(2).remaining(client, HUNDRED_PER_DAY) > 0)
                .count();
        // Half of them are led by the host that they have come to. The other one is told nothing of these.
        assertThat(unknown).isBetween(100L, 200L);
    }

    @Test
    void aHostThatLedAloneTellsWhoeverLeadsInItsPlaceHowBucketsStand() {
        SlowGroup group = new SlowGroup(Topology.LEADER, 14);
        Host alone = group.open(1).get(0);
        List<ClientIdentifier> clients = IntStream.range(0, 300)
                .mapToObj(i -> ClientIdentifier.of("user", "client-" + i))
                .toList();
        clients.forEach(client -> alone.spend(client, HUNDRED_PER_DAY, 100));
        group.pass(Duration.ofSeconds(3));
        Host other = group.open(1).get(0);
        group.pass(Duration.ofMillis(200));
        long unknown = clients.stream()
                .filter(client -> other.remaining(client, HUNDRED_PER_DAY) > 0)
                .count();
        // Half of them are still led by the host that they have come to. The other one is told nothing of these.
        assertThat(unknown).isBetween(100L, 200L);
    }

    @ParameterizedTest
    @EnumSource
    void aHostThatComesLaterHearsHowTheBucketOfABusyClientStands(Topology topology) {
        SlowGroup group = new SlowGroup(topology, 15);
        List<Host> hosts = new ArrayList<>(group.open(30));
        Host spender = hosts.get(0);
        assertThat(spender.spend(CLIENT, HUNDRED_PER_DAY, 60).allowed()).isTrue();
        group.pass(Duration.ofSeconds(10), Duration.ofMillis(500), () -> spender.admits(CLIENT, HUNDRED_PER_DAY));
        Host later = group.open(1).get(0);
        // With leaders, it hears of whomever it has been asked for.
        later.admits(CLIENT, HUNDRED_PER_DAY);
        group.pass(Duration.ofSeconds(5), Duration.ofMillis(500), () -> spender.admits(CLIENT, HUNDRED_PER_DAY));
        group.pass(Duration.ofMillis(500));
        assertThat(later.remaining(CLIENT, HUNDRED_PER_DAY))
                .isLessThan(15)
                .isBetween(spender.remaining(CLIENT, HUNDRED_PER_DAY) - 1, 15L);
    }

    @ParameterizedTest
    @EnumSource
    void whatIsGivenBackIsGivenBackOnAllHosts(Topology topology) {
        SlowGroup group = new SlowGroup(topology, 17);
        List<Host> hosts = group.open(6);
        BucketSpec logins = spec(Limit.of(5, Duration.ofMinutes(15)));
        for (int login = 0; login < 60; login++) {
            Host host = hosts.get(login % 6);
            SpendOutcome spent = host.spend(CLIENT, logins, 1);
            assertThat(spent.allowed()).as("login %d", login).isTrue();
            group.pass(Duration.ofMillis(30 + login * 17 % 700));
            host.giveBack(spent, 1);
            group.pass(Duration.ofMillis(login % 7 == 0 ? 30_000 : 600));
        }
        for (Host host : hosts) {
            assertThat(host.remaining(CLIENT, logins)).isEqualTo(5);
        }
    }

    @ParameterizedTest
    @EnumSource
    void ofWhatIsSettledForLessOnlyThatIsMissingOnAllHosts(Topology topology) {
        SlowGroup group = new SlowGroup(topology, 18);
        List<Host> hosts = group.open(3);
        hosts.forEach(host -> host.admits(CLIENT, HUNDRED_PER_DAY));
        group.pass(Duration.ofSeconds(1));
        for (int i = 0; i < 12; i++) {
            Host host = hosts.get(i % 3);
            SpendOutcome spent = host.spend(CLIENT, HUNDRED_PER_DAY, 30);
            assertThat(spent.allowed()).as("charge %d", i).isTrue();
            group.pass(Duration.ofMillis(400));
            host.giveBack(spent, 28);
            group.pass(Duration.ofMillis(600));
        }
        for (Host host : hosts) {
            assertThat(host.remaining(CLIENT, HUNDRED_PER_DAY)).isEqualTo(100 - 3 - 12 * 2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatHostsHaveLetPassIsKnownToThoseWhoAreAskedLaterThoughEachTokenIsWrittenDown(Topology topology) {
        SlowGroup group = new SlowGroup(topology, 19);
        List<Host> hosts = group.open(3);
        BucketSpec log = spec(new Limit(400, Duration.ofHours(1), 400, Algorithm.SLIDING_WINDOW_LOG));
        for (int i = 0; i < 5; i++) {
            ClientIdentifier client = ClientIdentifier.of("user", "client-" + i);
            int[] passed = {0};
            for (Host host : hosts) {
                group.pass(
                        Duration.ofSeconds(8),
                        Duration.ofMillis(50),
                        () -> passed[0] += host.spend(client, log, 5).allowed() ? 5 : 0);
            }
            // Those who are asked later hear of it after some periods.
            assertThat(passed[0]).isBetween(400, 450);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whoComesWhileAHostTellsIsHeardOfLikeAnyOther(Topology topology) {
        SlowGroup group = new SlowGroup(topology, 16);
        List<Host> hosts = group.open(3);
        hosts.get(0).interruptedBy(() -> {
            group.jumps(Duration.ofMillis(1));
            hosts.get(0).spend(CLIENT, HUNDRED_PER_DAY, 50);
        });
        try (CapturedLog log = new CapturedLog(BroadcastingBucketStore.class)) {
            group.pass(Duration.ofMillis(60));
            hosts.forEach(host -> host.admits(CLIENT, HUNDRED_PER_DAY));
            group.pass(Duration.ofMillis(200));
            assertThat(log.warnings()).isEmpty();
        }
        for (Host host : hosts) {
            assertThat(host.remaining(CLIENT, HUNDRED_PER_DAY)).isEqualTo(47);
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("cluster")
    void aHostThatIsKilledIsReplacedByOneWithoutMemory(Topology topology) {
        SlowGroup group = new SlowGroup(topology, 9);
        List<Host> hosts = new ArrayList<>(group.open(5));
        overload(group, hosts, Duration.ofSeconds(5), 10);
        for (int i = 0; i < 5; i++) {
            group.leaves(hosts.remove(0));
            hosts.addAll(group.open(1));
            // A burst of the new host, at most.
            assertThat(overload(group, hosts, Duration.ofSeconds(5), 10)).isBetween(400L, 610L);
        }
    }

    @ParameterizedTest
    @CsvSource({"GOSSIP, 1.01", "LEADER, 1.5"})
    @Tag("cluster")
    void aHostThatIsKilledAgainAndAgainLeavesTheOthersAloneUntilTheyNotice(Topology topology, double most) {
        SlowGroup group = new SlowGroup(topology, 13);
        List<Host> hosts = group.open(3);
        overload(group, hosts, Duration.ofSeconds(5), 10);
        Queue<Host> killed = new ArrayDeque<>();
        long admitted = 0;
        for (int i = 0; i < 30; i++) {
            Host another = group.open(1).get(0);
            admitted += overload(group, hosts, Duration.ofSeconds(2), 10);
            another.isFrozen(true);
            killed.add(another);
            if (killed.size() > 2) {
                group.leaves(killed.remove());
            }
        }
        assertThat(admitted / 6_000.0).isBetween(0.99, most);
        killed.forEach(group::leaves);
        overload(group, hosts, Duration.ofSeconds(10), 10);
        assertThat(overload(group, hosts, Duration.ofSeconds(20), 10)).isBetween(1_980L, 2_020L);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("cluster")
    void hostsThatDisagreeWhoIsThereAreAloneAtWorst(Topology topology) {
        SlowGroup group = new SlowGroup(topology, 10);
        List<Host> hosts = group.open(10);
        overload(group, hosts, Duration.ofSeconds(5), 10);
        Random random = new Random(11);
        for (Host host : hosts) {
            host.sees(other -> other == host || random.nextInt(3) > 0);
        }
        assertThat(overload(group, hosts, Duration.ofSeconds(20), 10)).isBetween(1_900L, 20_000L);
        group.lookAround();
        assertThat(overload(group, hosts, Duration.ofSeconds(10), 10)).isBetween(900L, 1_100L);
        assertThat(overload(group, hosts, Duration.ofSeconds(20), 10)).isBetween(1_980L, 2_020L);
    }

    @ParameterizedTest
    @EnumSource
    void whatCannotBeReadDoesNoHarm(Topology topology) {
        SlowGroup group = new SlowGroup(topology, 12);
        List<Host> hosts = group.open(3);
        List<byte[]> overheard = group.overhears();
        overload(group, hosts, Duration.ofSeconds(2), 10);
        Random random = new Random(13);
        for (int i = 0; i < 20_000; i++) {
            byte[] known = overheard.get(random.nextInt(overheard.size()));
            byte[] damaged = Arrays.copyOf(known, random.nextInt(known.length + 1));
            for (int flips = damaged.length == 0 ? 0 : random.nextInt(8); flips > 0; flips--) {
                damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
            }
            hosts.get(i % 3).receive(damaged);
            byte[] noise = new byte[random.nextInt(200)];
            random.nextBytes(noise);
            hosts.get(i % 3).receive(noise);
        }
        ClientIdentifier other = ClientIdentifier.of("user", "bob");
        for (Host host : hosts) {
            assertThat(host.admits(other, HUNDRED_PER_SECOND)).isTrue();
        }
        // The limits of the first bucket were damaged too, and newer ones count, or of one version the tighter ones.
        BucketSpec slow = new BucketSpec("orders", "slow", 1, HUNDRED_PER_DAY.limits(), StorePolicy.UNSET);
        assertThat(hosts.get(0).spend(other, slow, 100).allowed()).isTrue();
        hosts.subList(1, 3).forEach(host -> host.admits(other, slow));
        group.pass(Duration.ofSeconds(1));
        for (Host host : hosts) {
            assertThat(host.admits(other, slow)).isFalse();
        }
        BucketSpec fast = new BucketSpec("orders", "fast", 1, HUNDRED_PER_SECOND.limits(), StorePolicy.UNSET);
        overload(group, hosts, fast, Duration.ofSeconds(5), 10);
        assertThat(overload(group, hosts, fast, Duration.ofSeconds(20), 10)).isBetween(1_980L, 2_020L);
    }

    /** Asks at all hosts in turn, some times as often as 100 a second. */
    private static long overload(SlowGroup group, List<Host> hosts, Duration time, int times) {
        return overload(group, hosts, HUNDRED_PER_SECOND, time, times);
    }

    private static long overload(SlowGroup group, List<Host> hosts, BucketSpec bucket, Duration time, int times) {
        long[] admitted = {0};
        int[] turn = {0};
        group.pass(time, Duration.ofMillis(10), () -> {
            for (int i = 0; i < times; i++) {
                if (hosts.get(turn[0]++ % hosts.size()).admits(CLIENT, bucket)) {
                    admitted[0]++;
                }
            }
        });
        return admitted[0];
    }
}
