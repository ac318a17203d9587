package io.ratelimit.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleService;
import com.hazelcast.instance.impl.HazelcastInstanceProxy;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.map.IMap;
import com.hazelcast.map.impl.recordstore.expiry.ExpiryMetadata;
import io.ratelimit.ClientIdentifier;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.entry.EntryCall;
import io.ratelimit.core.entry.SampleCalls;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import io.ratelimit.store.SpendOutcome;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two members in one JVM. */
@Tag("cluster")
class SharedClusterTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration SPARE = Duration.ofSeconds(ClientBuckets.SPARE_SECONDS);
    private static final BucketSpec HUNDRED_PER_DAY = spec("daily", Limit.of(100, Duration.ofDays(1)));
    private static final BucketSpec TEN_PER_SECOND = spec("burst", Limit.of(10, Duration.ofSeconds(1)));

    private final TestCluster cluster = new TestCluster();
    private final ManualTimeSource firstClock = new ManualTimeSource(-5_000_000_000L);
    private final ManualTimeSource secondClock = new ManualTimeSource(Long.MAX_VALUE - 7);
    private HazelcastBucketStore first;
    private HazelcastBucketStore second;

    @BeforeEach
    void startMembers() {
        cluster.start();
        cluster.start();
        first = cluster.storeWithClock(0, firstClock);
        second = cluster.storeWithClock(1, secondClock);
        await().atMost(TIMEOUT)
                .until(() -> cluster.member(0).getPartitionService().isClusterSafe());
    }

    @AfterEach
    void stopMembers() {
        cluster.close();
    }

    @Test
    void bothMembersTogetherAdmitExactlyTheCapacity() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<Boolean>> answers = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                BucketStore store = i % 2 == 0 ? first : second;
                answers.add(threads.submit(
                        () -> spend(store, client(1), HUNDRED_PER_DAY, 1).allowed()));
            }
            int admitted = 0;
            for (Future<Boolean> answer : answers) {
                admitted += answer.get() ? 1 : 0;
            }
            assertThat(admitted).isEqualTo(100);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void budgetsSurviveTheirOwner() {
        List<ClientIdentifier> clients = clientsOwnedBy(0, 20);
        clients.forEach(client -> spend(second, client, HUNDRED_PER_DAY, 60));
        await().atMost(TIMEOUT).until(() -> backupsOn(1) >= 20);

        cluster.member(0).getLifecycleService().terminate();
        for (ClientIdentifier client : clients) {
            assertThat(remaining(second, client, HUNDRED_PER_DAY)).isEqualTo(40);
        }
    }

    @Test
    void aMemberThatShutsDownHandsItsBudgetsOver() {
        List<ClientIdentifier> clients = clientsOwnedBy(0, 20);
        clients.forEach(client -> spend(first, client, HUNDRED_PER_DAY, 60));
        firstClock.advance(Duration.ofHours(6));
        cluster.member(0).shutdown();
        for (ClientIdentifier client : clients) {
            assertThat(remaining(second, client, HUNDRED_PER_DAY)).isEqualTo(65);
        }
    }

    @Test
    void aRefundFindsItsChargeOnAnotherMembersClock() {
        ClientIdentifier client = clientsOwnedBy(0, 1).get(0);
        var receipt =
                spend(second, client, HUNDRED_PER_DAY, 60).charges().get(0).receipt();
        await().atMost(TIMEOUT).until(() -> backupsOn(1) >= 1);
        cluster.member(0).getLifecycleService().terminate();
        secondClock.advance(Duration.ofHours(6));
        spend(second, client, HUNDRED_PER_DAY, 10);
        second.refund(receipt, 60).toCompletableFuture().join();
        assertThat(remaining(second, client, HUNDRED_PER_DAY)).isEqualTo(90);
    }

    /** As Hazelcast does when the owner dies before it has answered. */
    @Test
    void aCallThatIsMadeOnceMoreGetsTheFirstAnswerAndChangesNothing() {
        IMap<UUID, ClientBuckets> map = cluster.member(0).getMap(HazelcastBucketStore.MAP);
        ClientIdentifier client = clientsOwnedBy(0, 1).get(0);
        UUID key = first.keyOf("orders", client);
        EntryCall twiceSixty = SampleCalls.spend(SampleCalls.newId(), 2, 60, HUNDRED_PER_DAY);
        for (int i = 0; i < 2; i++) {
            BucketAnswer answer = map.executeOnKey(key, new BucketProcessor(twiceSixty));
            assertThat(SampleCalls.allowed(answer.answer())).containsExactly(true, false);
            assertThat(remaining(second, client, HUNDRED_PER_DAY)).isEqualTo(40);
        }
        await().atMost(TIMEOUT).until(() -> backupsOn(1) >= 1);
        cluster.member(0).getLifecycleService().terminate();
        BucketAnswer again = cluster.member(1)
                .<UUID, ClientBuckets>getMap(HazelcastBucketStore.MAP)
                .executeOnKey(key, new BucketProcessor(twiceSixty));
        assertThat(SampleCalls.allowed(again.answer())).containsExactly(true, false);
        assertThat(remaining(second, client, HUNDRED_PER_DAY)).isEqualTo(40);
    }

    @Test
    void noEntryIsWithoutExpiryOnOwnersAndBackups() {
        for (int i = 0; i < 50; i++) {
            spend(first, client(i), TEN_PER_SECOND, 10);
            spend(second, client(i), HUNDRED_PER_DAY, 1);
            spend(second, client(1_000 + i), TEN_PER_SECOND, 1);
        }
        await().atMost(TIMEOUT).until(() -> backupsOn(0) + backupsOn(1) >= 100);
        for (int member = 0; member < 2; member++) {
            List<ExpiryMetadata> expiries = expiriesOn(member);
            assertThat(expiries).hasSize(100).allSatisfy(expiry -> {
                assertThat(expiry.hasExpiry()).isTrue();
                assertThat(expiry.getTtl())
                        .isBetween(
                                SPARE.toMillis() + 2_000, SPARE.plusMinutes(15).toMillis());
            });
        }
        IMap<UUID, ClientBuckets> map = cluster.member(0).getMap(HazelcastBucketStore.MAP);
        assertThat(map.keySet())
                .allSatisfy(key -> assertThat(map.getEntryView(key).getExpirationTime())
                        .isBetween(
                                1L,
                                System.currentTimeMillis()
                                        + SPARE.plusMinutes(16).toMillis()));
    }

    @Test
    void entriesOfIdleClientsGoAway() {
        for (int i = 0; i < 100; i++) {
            spend(first, client(i), TEN_PER_SECOND, 1);
        }
        IMap<UUID, ClientBuckets> map = cluster.member(0).getMap(HazelcastBucketStore.MAP);
        // Though nobody asks for them: what is forgotten is looked for every five seconds.
        await().during(Duration.ofSeconds(6)).atMost(TIMEOUT).until(() -> map.size() == 100);
        advanceClocks(Duration.ofMillis(2_200));
        await().atMost(TIMEOUT).until(map::isEmpty);
        await().atMost(TIMEOUT).until(() -> backupsOn(0) + backupsOn(1) == 0);
    }

    @Test
    void hostsThatAreNoMembersTakeTurnsToForgetIdleClientsOfAll() {
        HazelcastInstance instance = cluster.member(0);
        IMap<UUID, ClientBuckets> map = instance.getMap(HazelcastBucketStore.MAP);
        for (int turn = 0; turn < 2; turn++) {
            ClusterSweep sweep = new ClusterSweep(instance, instance.getPartitionService());
            for (int i = 0; i < 20; i++) {
                spend(first, client(i), TEN_PER_SECOND, 1);
            }
            sweep.run();
            assertThat(map.size()).isEqualTo(20);
            advanceClocks(Duration.ofMillis(2_200));
            sweep.run();
            assertThat(map.size()).isZero();
        }
    }

    @Test
    void aFullBucketIsKeptForTwoSeconds() {
        var receipt =
                spend(first, client(1), HUNDRED_PER_DAY, 5).charges().get(0).receipt();
        IMap<UUID, ClientBuckets> map = cluster.member(0).getMap(HazelcastBucketStore.MAP);
        assertThat(map.size()).isEqualTo(1);
        first.refund(receipt, 5).toCompletableFuture().join();
        advanceClocks(Duration.ofSeconds(2));
        await().atMost(TIMEOUT).until(map::isEmpty);
    }

    @Test
    void whatHasComeBackByItselfIsNotGivenBackThoughTheOwnerHasDiedMeanwhile() {
        ClientIdentifier client = clientsOwnedBy(0, 1).get(0);
        var sixty = spend(second, client, HUNDRED_PER_DAY, 60).charges().get(0).receipt();
        var twenty = spend(second, client, HUNDRED_PER_DAY, 20).charges().get(0).receipt();
        second.refund(sixty, 60).toCompletableFuture().join();
        assertThat(remaining(second, client, HUNDRED_PER_DAY)).isEqualTo(80);
        await().atMost(TIMEOUT).until(() -> backupsOn(1) >= 1);
        cluster.member(0).getLifecycleService().terminate();

        // The twenty come back by themselves, and somebody spends fifty.
        secondClock.advance(Duration.ofHours(6));
        spend(second, client, HUNDRED_PER_DAY, 50);
        second.refund(twenty, 20).toCompletableFuture().join();
        assertThat(remaining(second, client, HUNDRED_PER_DAY)).isEqualTo(50);
    }

    @Test
    void rulesOfOneClientShareAnEntryAndServicesDoNot() {
        spend(first, client(1), HUNDRED_PER_DAY, 1);
        spend(first, client(1), TEN_PER_SECOND, 1);
        IMap<UUID, ClientBuckets> map = cluster.member(0).getMap(HazelcastBucketStore.MAP);
        assertThat(map.size()).isEqualTo(1);
        BucketSpec elsewhere = new BucketSpec("billing", "daily", 1, HUNDRED_PER_DAY.limits(), StorePolicy.UNSET);
        spend(first, client(1), elsewhere, 1);
        assertThat(map.size()).isEqualTo(2);
    }

    @Test
    void whatAClientSentIsNowhereInTheClustersData() {
        ClientIdentifier client = ClientIdentifier.of("header:x-api-key", "sk-live-4711-secret");
        spend(first, client, HUNDRED_PER_DAY, 1);
        IMap<UUID, ClientBuckets> map = cluster.member(0).getMap(HazelcastBucketStore.MAP);
        for (var entry : map.entrySet()) {
            for (Object part : List.of(entry.getKey(), entry.getValue())) {
                String bytes = new String(data(part).toByteArray(), StandardCharsets.ISO_8859_1);
                assertThat(bytes).doesNotContain("4711").doesNotContain("sk-live");
            }
        }
        assertThat(map.size()).isEqualTo(1);
    }

    @Test
    void membersAgreeOnOneSecretAndLeaveItToLaterOnes() {
        UUID key = first.keyOf("orders", client(1));
        assertThat(second.keyOf("orders", client(1))).isEqualTo(key);
        cluster.member(0).getLifecycleService().terminate();
        cluster.start();
        assertThat(cluster.storeWithClock(2, secondClock).keyOf("orders", client(1)))
                .isEqualTo(key);
        var configured = new HazelcastBucketStore(cluster.member(1), "another secret", secondClock, false);
        assertThat(configured.keyOf("orders", client(1))).isNotEqualTo(key);
    }

    @Test
    void anInstanceThatIsHandedInStaysUpWhenTheStoreIsClosed() {
        HazelcastInstance instance = cluster.member(0);
        try (HazelcastBucketStore store = new HazelcastBucketStore(instance, null, firstClock)) {
            assertThat(spend(store, client(1), HUNDRED_PER_DAY, 1).allowed()).isTrue();
            assertThat(store.memberAddress()).startsWith("127.0.0.1:");
        }
        assertThat(instance.getLifecycleService().isRunning()).isTrue();
    }

    @Test
    void anInstanceWhoseMembersCannotAnswerIsToldOfNothingAnyMore() {
        HazelcastInstance real = cluster.member(0);
        LifecycleService lifecycle = mock(LifecycleService.class);
        UUID listener = UUID.randomUUID();
        when(lifecycle.isRunning()).thenReturn(true);
        when(lifecycle.addLifecycleListener(any())).thenReturn(listener);
        HazelcastInstance given = mock(HazelcastInstance.class, delegatesTo(real));
        doReturn(lifecycle).when(given).getLifecycleService();
        doReturn(real.getPartitionService())
                .doThrow(new IllegalStateException("not active"))
                .when(given)
                .getPartitionService();
        assertThatThrownBy(() -> new HazelcastBucketStore(given, null, firstClock))
                .isInstanceOf(IllegalStateException.class);
        verify(lifecycle).removeLifecycleListener(listener);
        assertThat(real.getLifecycleService().isRunning()).isTrue();
    }

    @Test
    void warmingUpLeavesNoBudgetSpentAndCanBeInterrupted() throws Exception {
        first.warmUp();
        IMap<UUID, ClientBuckets> map = cluster.member(0).getMap(HazelcastBucketStore.MAP);
        advanceClocks(Duration.ofSeconds(2));
        await().atMost(TIMEOUT).until(map::isEmpty);
        Thread.currentThread().interrupt();
        assertThatThrownBy(first::warmUp).isInstanceOf(InterruptedException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    private void advanceClocks(Duration time) {
        firstClock.advance(time);
        secondClock.advance(time);
    }

    private List<ClientIdentifier> clientsOwnedBy(int member, int count) {
        HazelcastInstance instance = cluster.member(member);
        List<ClientIdentifier> clients = new ArrayList<>();
        for (int i = 0; clients.size() < count; i++) {
            UUID key = first.keyOf("orders", client(i));
            if (instance.getPartitionService()
                    .getPartition(key)
                    .getOwner()
                    .equals(instance.getCluster().getLocalMember())) {
                clients.add(client(i));
            }
        }
        return clients;
    }

    private long backupsOn(int member) {
        var map = cluster.member(member).getMap(HazelcastBucketStore.MAP);
        return expiriesOn(member).size() - map.localKeySet().size();
    }

    private List<ExpiryMetadata> expiriesOn(int member) {
        return new HeldEntries(cluster.member(member)).expiries();
    }

    private Data data(Object value) {
        return ((HazelcastInstanceProxy) cluster.member(0))
                .getSerializationService()
                .toData(value);
    }

    private static long remaining(BucketStore store, ClientIdentifier client, BucketSpec spec) {
        return spend(store, client, spec, 0).charges().get(0).limits().get(0).remaining();
    }

    private static SpendOutcome spend(BucketStore store, ClientIdentifier client, BucketSpec spec, long cost) {
        return store.spend(List.of(new Charge(client, spec, cost)), TIMEOUT)
                .toCompletableFuture()
                .join();
    }

    private static ClientIdentifier client(int number) {
        return ClientIdentifier.of("user", "user-" + number);
    }

    private static BucketSpec spec(String name, Limit limit) {
        return new BucketSpec("orders", name, 1, List.of(limit), StorePolicy.UNSET);
    }
}
