package io.ratelimit.core.broadcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.core.broadcast.SlowGroup.Host;
import io.ratelimit.core.wire.SpecForm;
import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.LimitOptions;
import io.ratelimit.rules.Penalty;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.HostGroup.Topology;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A host that is of the group, and tells what cannot be. */
class AbsurdSumsTest {

    private static final ClientIdentifier CLIENT = ClientIdentifier.of("user", "alice");
    private static final UUID KEY =
            new ClientNames(new byte[] {1, 2, 3}).of("orders", CLIENT).key();
    private static final int RANGE = Math.floorMod(KEY.hashCode(), 16);
    private static final Postmark MARK = new Postmark(0, 0, 0);
    private static final Duration LISTENED = Duration.ofSeconds(1);
    private static final long LONG_AGO = 100_000_000_000L;
    private static final BucketSpec FOUR_PER_SECOND = spec(Limit.of(4, Duration.ofSeconds(1)));
    private static final BucketSpec HUNDRED_PER_SECOND = spec(Limit.of(100, Duration.ofSeconds(1)));

    private static BucketSpec spec(Limit limit) {
        return new BucketSpec("orders", "everyone", 1, List.of(limit), StorePolicy.UNSET);
    }

    private static ConsumptionNews.Item item(
            BucketSpec bucket, long epoch, long epochNanos, long spent, long ageNanos, long[]... states) {
        return new ConsumptionNews.Item(
                SpecForm.of(bucket), KEY, epoch, epochNanos, Tally.ofSpent(spent), ageNanos, states);
    }

    private static byte[] message(Topology topology, UUID from, long origin, ConsumptionNews.Item item) {
        PeerNews.Kind kind = topology == Topology.GOSSIP ? PeerNews.Kind.RUMOURS : PeerNews.Kind.RELAYED;
        PeerNewsWriter message = new PeerNewsWriter(from, kind, 10_000);
        assertThat(message.add(new PeerNews.Entry(new PeerNews.Sender(origin, MARK), item)))
                .isTrue();
        return message.toBytes();
    }

    private static LeaderTree tree(Host host) {
        return new LeaderTree(RANGE, host.self(), host.members());
    }

    /** The one that leads for the client first. */
    private static List<Host> open(SlowGroup group) {
        List<Host> hosts = new ArrayList<>(group.open(3));
        group.pass(LISTENED);
        hosts.sort((one, other) -> tree(one).isBelow(other.self()) ? -1 : 1);
        return hosts;
    }

    /** Whom all would listen to as one of those below. */
    private static UUID belowAll(List<Host> hosts) {
        Random random = new Random(99);
        UUID name;
        do {
            name = new UUID(random.nextLong(), random.nextLong());
        } while (!belowAll(hosts, name));
        return name;
    }

    private static boolean belowAll(List<Host> hosts, UUID name) {
        return hosts.stream().allMatch(host -> tree(host).isBelow(name));
    }

    /** What is admitted of ten times the limit, over the limit. */
    private static double overload(SlowGroup group, List<Host> hosts, int seconds) {
        int[] asked = {0};
        int[] admitted = {0};
        group.pass(Duration.ofSeconds(seconds), Duration.ofMillis(10), () -> {
            for (int i = 0; i < 10; i++) {
                boolean passes = hosts.get(asked[0]++ % hosts.size()).admits(CLIENT, HUNDRED_PER_SECOND);
                admitted[0] += passes ? 1 : 0;
            }
        });
        return admitted[0] / 100.0 / seconds;
    }

    @ParameterizedTest
    @EnumSource
    void nobodyIsLockedOutByWhatIsSaidOfHisBucket(Topology topology) {
        SlowGroup group = new SlowGroup(topology, 1);
        List<Host> hosts = open(group);
        long begun = topology == Topology.GOSSIP ? LONG_AGO : 0;
        hosts.get(0).receive(message(topology, belowAll(hosts), 77, item(FOUR_PER_SECOND, 1, begun, 1, 0, new long[] {
            Long.MAX_VALUE
        })));
        assertThat(hosts.get(0).admits(CLIENT, FOUR_PER_SECOND)).isFalse();
        // All it held, and what two others can have let pass: three times four, at four a second.
        group.pass(Duration.ofSeconds(4));
        for (Host host : hosts) {
            assertThat(host.admits(CLIENT, FOUR_PER_SECOND)).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void noMessageFillsABucket(Topology topology) {
        SlowGroup group = new SlowGroup(topology, 1);
        List<Host> hosts = open(group);
        Host host = hosts.get(0);
        while (host.admits(CLIENT, FOUR_PER_SECOND)) {
            continue;
        }
        for (long age : new long[] {-1, -(1L << 62) + 100_000_000L, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 60}) {
            host.receive(message(topology, belowAll(hosts), age, item(FOUR_PER_SECOND, 1, 0, 1, age)));
            assertThat(host.admits(CLIENT, FOUR_PER_SECOND)).as("age %d", age).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "9223372036854775807, 20",
        "-9223372036854775808, 20",
        "-1000000000, 20",
        "1152921504606846976, 1",
        "1152921504606846976, 2",
        "1152921504606846976, 20",
        "1152921504606846900, 1",
    })
    void aLeaderGoesOnToTellOfAClientOfWhomAnAbsurdSumWasTold(long spent, int origins) {
        SlowGroup group = new SlowGroup(Topology.LEADER, 1);
        List<Host> hosts = open(group);
        UUID low = belowAll(hosts);
        overload(group, hosts, 5);
        for (int origin = 0; origin < origins; origin++) {
            hosts.get(0).receive(message(Topology.LEADER, low, origin, item(HUNDRED_PER_SECOND, 1, 0, spent, 0)));
        }
        overload(group, hosts, 30);
        assertThat(overload(group, hosts, 20)).isBetween(0.97, 1.03);
    }

    @ParameterizedTest
    @EnumSource
    void whoPretendsToBeAllOthersIsForgottenInAMinute(Topology topology) throws IOException {
        SlowGroup group = new SlowGroup(topology, 1);
        List<Host> hosts = open(group);
        List<byte[]> overheard = group.overhears();
        overload(group, hosts, 5);
        for (byte[] message : List.copyOf(overheard)) {
            PeerNews news = PeerNews.of(message);
            for (PeerNews.Entry entry : news.entries()) {
                byte[] last = message(
                        topology, news.from(), entry.sender().origin(), item(HUNDRED_PER_SECOND, 1L << 60, 0, 1, 0));
                hosts.forEach(host -> host.receive(last));
            }
        }
        overload(group, hosts, 120);
        assertThat(overload(group, hosts, 20)).isBetween(0.97, 1.03);
    }

    @ParameterizedTest
    @EnumSource
    void aRateThatNobodyCanSpendTakesNoTime(Topology topology) {
        SlowGroup group = new SlowGroup(topology, 1);
        List<Host> hosts = open(group);
        LimitOptions penalised = LimitOptions.NONE.withPenalty(new Penalty(1, Duration.ofNanos(1)));
        Limit fast = new Limit(500_000_000_000_000L, Duration.ofSeconds(1), 1, Algorithm.GCRA, penalised);
        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> {
            for (int i = 0; i < 600; i++) {
                BucketSpec bucket = new BucketSpec("orders", "fast-" + i, 1, List.of(fast), StorePolicy.UNSET);
                byte[] told = message(topology, belowAll(hosts), 77, item(bucket, 1, 0, 1L << 60, 0));
                hosts.forEach(host -> host.receive(told));
            }
        });
    }

    @Test
    void limitsThatCannotBeCountedByAreNotNoted() {
        SlowGroup group = new SlowGroup(Topology.LEADER, 1);
        List<Host> hosts = open(group);
        overload(group, hosts, 5);
        Limit endless = new Limit(
                1,
                Duration.ofDays(36_500),
                2,
                HUNDRED_PER_SECOND.limits().get(0).algorithm());
        for (Host host : hosts) {
            BucketSpec bucket = new BucketSpec("orders", "everyone", 0, List.of(endless), StorePolicy.UNSET);
            host.receive(message(Topology.LEADER, belowAll(hosts), 77, item(bucket, 1, 0, 1, 0)));
        }
        overload(group, hosts, 5);
        assertThat(overload(group, hosts, 20)).isBetween(0.97, 1.03);
    }
}
