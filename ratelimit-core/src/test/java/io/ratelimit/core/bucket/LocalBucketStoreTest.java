package io.ratelimit.core.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.RateLimitListener;
import io.ratelimit.TimeSource;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.OnFailure;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import io.ratelimit.store.SpendOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class LocalBucketStoreTest extends BucketStoreContract {

    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final BucketSpec TEN_PER_MINUTE = spec(1, Limit.of(10, Duration.ofMinutes(1)));

    private static final BucketSpec OTHER_RULE =
            new BucketSpec("service", "other", 1, List.of(Limit.of(100, Duration.ofMinutes(1))), StorePolicy.UNSET);

    private final ManualTimeSource clock = new ManualTimeSource();

    @Override
    protected BucketStore createStore(TimeSource timeSource) {
        return new LocalBucketStore(timeSource, 1_000);
    }

    @Override
    protected boolean keepsServicesApart() {
        return false;
    }

    @Test
    void aFullTableAnswersNewcomersByOnFailureAndRefusesNoKnownClient() {
        List<String> heard = new ArrayList<>();
        LocalBucketStore store =
                new LocalBucketStore(clock, 8, new FailureLog("The table of clients", clock, new RateLimitListener() {
                    @Override
                    public void onFailure(String kind, Throwable cause) {
                        heard.add(kind + ": " + cause.getMessage());
                    }
                }));
        for (int i = 0; i < 8; i++) {
            spend(store, client(i), TEN_PER_MINUTE, 1);
        }
        SpendOutcome newcomer = spend(store, client(99), TEN_PER_MINUTE, 1);
        assertThat(newcomer.allowed()).isTrue();
        assertThat(newcomer.degraded()).isTrue();
        assertThat(newcomer.charges().get(0).limits()).isEmpty();
        assertThat(heard).singleElement().asString().startsWith("table-full: ").contains("maxClients");
        assertThat(spend(store, client(3), TEN_PER_MINUTE, 1).degraded()).isFalse();
        assertThat(store.size()).isEqualTo(8);
    }

    @Test
    void aRequestOfManyNewcomersOfOneRuleFindsRoomForAll() {
        LocalBucketStore store = new LocalBucketStore(clock, 100_000);
        for (int request = 0; request < 20; request++) {
            List<Charge> newcomers = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                newcomers.add(new Charge(client(100 * request + i), TEN_PER_MINUTE, 1));
            }

            SpendOutcome outcome = assertTimeoutPreemptively(
                    Duration.ofSeconds(20),
                    () -> store.spend(newcomers, TIMEOUT).toCompletableFuture().join());

            assertThat(outcome.charges())
                    .allSatisfy(charge ->
                            assertThat(charge.limits().get(0).remaining()).isEqualTo(9));
        }
        assertThat(store.size()).isEqualTo(2_000);
    }

    @Test
    void aNewcomerWithoutAPlaceLeavesTheOtherRulesOfItsRequestInForce() {
        LocalBucketStore store = new LocalBucketStore(clock, 8);
        ClientIdentifier address = ClientIdentifier.of("ip", "192.0.2.1");
        for (int i = 0; i < 7; i++) {
            spend(store, client(i), TEN_PER_MINUTE, 1);
        }
        spend(store, address, TEN_PER_MINUTE, 1);
        int allowed = 0;
        for (int i = 0; i < 30; i++) {
            List<Charge> flood =
                    List.of(new Charge(client(100 + i), OTHER_RULE, 1), new Charge(address, TEN_PER_MINUTE, 1));
            allowed += store.spend(flood, TIMEOUT).toCompletableFuture().join().allowed() ? 1 : 0;
        }
        assertThat(allowed).isEqualTo(9);
    }

    @Test
    void aNewcomerWithoutAPlaceIsRefusedWhereItsRuleSaysClosed() {
        LocalBucketStore store = new LocalBucketStore(clock, 8);
        for (int i = 0; i < 8; i++) {
            spend(store, client(i), TEN_PER_MINUTE, 1);
        }
        BucketSpec closed = new BucketSpec(
                "orders", "closed", 1, TEN_PER_MINUTE.limits(), new StorePolicy(null, OnFailure.CLOSED, null));
        SpendOutcome newcomer = spend(store, client(99), closed, 1);
        assertThat(newcomer.allowed()).isFalse();
        assertThat(newcomer.degraded()).isTrue();
    }

    @Test
    void aFloodMayOverrunTheTableByASixteenth() {
        LocalBucketStore store = new LocalBucketStore(clock, 160);
        for (int i = 0; i < 1_000; i++) {
            assertThat(spend(store, client(i), TEN_PER_MINUTE, 1).allowed()).isTrue();
        }
        assertThat(store.size()).isEqualTo(170);
    }

    @Test
    void aNewcomerUnderTwoRulesIsAnsweredHoweverSmallTheTableIs() {
        LocalBucketStore tiny = new LocalBucketStore(clock, 1);
        List<Charge> both = List.of(new Charge(client(1), TEN_PER_MINUTE, 1), new Charge(client(1), OTHER_RULE, 1));
        assertThat(tiny.spend(both, TIMEOUT).toCompletableFuture().join().allowed())
                .isTrue();
        LocalBucketStore store = new LocalBucketStore(clock, 100);
        for (int i = 0; i < 99; i++) {
            spend(store, client(i), TEN_PER_MINUTE, 1);
        }
        List<Charge> newcomer =
                List.of(new Charge(client(200), TEN_PER_MINUTE, 1), new Charge(client(200), OTHER_RULE, 1));
        assertThat(store.spend(newcomer, TIMEOUT).toCompletableFuture().join().allowed())
                .isTrue();
    }

    @Test
    void fullBucketsMakeRoomForNewcomersAndOthersAreKept() {
        LocalBucketStore store = new LocalBucketStore(clock, 8);
        for (int i = 0; i < 7; i++) {
            spend(store, client(i), TEN_PER_MINUTE, 1);
        }
        clock.advance(Duration.ofSeconds(6));
        spend(store, client(7), TEN_PER_MINUTE, 10);
        for (int i = 8; i < 15; i++) {
            assertThat(spend(store, client(i), TEN_PER_MINUTE, 1).allowed()).isTrue();
        }
        assertThat(store.size()).isEqualTo(8);
        assertThat(spend(store, client(7), TEN_PER_MINUTE, 1).allowed()).isFalse();
    }

    @Test
    void sweepingForgetsFullBucketsOnly() {
        LocalBucketStore store = new LocalBucketStore(clock, 100);
        spend(store, client(1), TEN_PER_MINUTE, 1);
        spend(store, client(2), TEN_PER_MINUTE, 2);
        clock.advance(Duration.ofSeconds(6));
        store.sweep();
        assertThat(store.size()).isEqualTo(1);
        assertThat(spend(store, client(2), TEN_PER_MINUTE, 10).allowed()).isFalse();
    }

    @Test
    void aFastLimitBesideASlowOneStaysFullHoweverLongItIsNotUsed() {
        LocalBucketStore store = new LocalBucketStore(clock, 100);
        BucketSpec spec = spec(1, Limit.of(999_983, Duration.ofSeconds(1)), Limit.of(100, Duration.ofDays(1)));
        spend(store, client(1), spec, 50);
        for (int minutes = 0; minutes < 600; minutes += 5) {
            clock.advance(Duration.ofMinutes(5));
            store.sweep();
            SpendOutcome looked = spend(store, client(1), spec, 0);
            assertThat(looked.charges().get(0).limits().get(0).remaining()).isEqualTo(999_983);
        }
    }

    @Test
    void twoChargesForOneBucketAreAnErrorRatherThanALockUp() {
        LocalBucketStore store = new LocalBucketStore(clock, 100);
        Charge charge = new Charge(client(1), TEN_PER_MINUTE, 1);
        assertThat(store.spend(List.of(charge, charge), TIMEOUT)).isCompletedExceptionally();
        assertThat(spend(store, client(1), TEN_PER_MINUTE, 10).allowed()).isTrue();
    }

    @Test
    void aLimitBeyondArithmeticFailsTheStage() {
        LocalBucketStore store = new LocalBucketStore(clock, 100);
        BucketSpec beyond = spec(1, Limit.of(999_999_999_999_989L, Duration.ofSeconds(7)));
        assertThat(store.spend(List.of(new Charge(client(1), beyond, 1)), TIMEOUT))
                .isCompletedExceptionally();
    }

    @Test
    void noChargeIsLostWhileRulesAreReloadedAndBucketsSwept() throws Exception {
        LocalBucketStore store = new LocalBucketStore(clock, 100);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<Integer>> spenders = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                spenders.add(threads.submit(() -> {
                    int admitted = 0;
                    for (int version = 1; version <= 500; version++) {
                        Limit own = Limit.of(1_000, Duration.ofMinutes(1));
                        BucketSpec spec = version % 2 == 0
                                ? spec(version, own)
                                : spec(version, Limit.of(5_000, Duration.ofHours(1)), own);
                        admitted += spend(store, client(1), spec, 1).allowed() ? 1 : 0;
                        store.sweep();
                    }
                    return admitted;
                }));
            }
            int admitted = 0;
            for (Future<Integer> spender : spenders) {
                admitted += spender.get();
            }
            assertThat(admitted).isEqualTo(1_000);
        } finally {
            threads.shutdownNow();
        }
    }

    private static ClientIdentifier client(int number) {
        return ClientIdentifier.of("user", "user-" + number);
    }

    private static BucketSpec spec(long version, Limit... limits) {
        return new BucketSpec("orders", "everyone", version, List.of(limits), StorePolicy.UNSET);
    }

    private static SpendOutcome spend(BucketStore store, ClientIdentifier client, BucketSpec spec, long cost) {
        return store.spend(List.of(new Charge(client, spec, cost)), TIMEOUT)
                .toCompletableFuture()
                .join();
    }

    @Nested
    class KindsOfCharges extends ChargeKindContract {

        @Override
        protected BucketStore createStore(TimeSource timeSource) {
            return new LocalBucketStore(timeSource, 1_000);
        }
    }

    @Nested
    class Algorithms extends AlgorithmContract {

        @Override
        protected BucketStore createStore(TimeSource timeSource) {
            return new LocalBucketStore(timeSource, 1_000);
        }
    }
}
