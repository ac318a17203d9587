package io.ratelimit.core.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.LimitState;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.bucket.LocalBucketStore;
import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class LeasingBucketStoreTest {

    private static final Duration TIMEOUT = Duration.ofMillis(20);
    /** What the shared bucket of {@link #ONE_PER_SECOND} holds if two hosts lease from it. */
    private static final long SHARED = 3_600 - 2 * 225;

    private static final ClientIdentifier BUSY = ClientIdentifier.of("user", "busy");
    private static final BucketSpec ONE_PER_SECOND = spec("everyone", Limit.of(3_600, Duration.ofHours(1)));

    private final ManualTimeSource clock = new ManualTimeSource(-7_000_000_000L);
    private final LocalBucketStore buckets = new LocalBucketStore(clock, 10_000);
    private final OneHostsView view = new OneHostsView(buckets, 2);
    private final LeasingBucketStore store = new LeasingBucketStore(view, clock);

    @Test
    void aBusyClientCostsAHopForManyRequests() {
        settle();
        for (int i = 0; i < 400; i++) {
            assertThat(spend(BUSY, 1).allowed()).isTrue();
            clock.advance(Duration.ofMillis(1));
        }
        assertThat(view.calls()).isBetween(5, 30);
    }

    @Test
    void aClientThatComesOnceInAWhileIsChargedByItself() {
        settle();
        int calls = view.calls();
        for (int i = 0; i < 20; i++) {
            spend(BUSY, 5);
            clock.advance(Duration.ofSeconds(1));
            store.sweep();
        }
        assertThat(view.calls() - calls).isEqualTo(20);
        assertThat(remaining(ONE_PER_SECOND)).isEqualTo(SHARED - 20 * 5 + 20);
    }

    @Test
    void nothingIsLeasedBeforeAllHostsKnowHowManyTheyAre() {
        for (int i = 0; i < 50; i++) {
            spend(BUSY, 1);
        }
        assertThat(view.calls()).isEqualTo(50);
        view.hears(0);
        settle();
        int calls = view.calls();
        for (int i = 0; i < 50; i++) {
            spend(BUSY, 1);
        }
        assertThat(view.calls() - calls).isEqualTo(50);
    }

    @Test
    void whatIsLeftGoesBackWhenALeaseEnds() {
        settle();
        leaseSome();
        long before = remaining(ONE_PER_SECOND);
        clock.advance(LeasingBucketStore.LEASE);
        store.sweep();
        assertThat(remaining(ONE_PER_SECOND)).isGreaterThan(before + 5).isEqualTo(SHARED - 30 + 1);
    }

    @Test
    void whatIsLeftGoesBackWhenTheHostIsShutDown() {
        settle();
        leaseSome();
        store.close();
        assertThat(remaining(ONE_PER_SECOND)).isEqualTo(SHARED - 30);
    }

    @Test
    void aLeaseIsNotSpentAfterItsEnd() {
        settle();
        leaseSome();
        int calls = view.calls();
        clock.advance(LeasingBucketStore.LEASE);
        spend(BUSY, 1);
        assertThat(view.calls()).isGreaterThan(calls);
    }

    @Test
    void aRefundGoesToTheLeaseAndAfterItsEndToTheSharedBucket() {
        settle();
        leaseSome();
        Receipt early = receipt(spend(BUSY, 5));
        Receipt late = receipt(spend(BUSY, 5));
        store.refund(early, 5);
        clock.advance(LeasingBucketStore.LEASE);
        store.sweep();
        assertThat(remaining(ONE_PER_SECOND)).isEqualTo(SHARED - 35 + 1);
        store.undo(late, 5);
        assertThat(remaining(ONE_PER_SECOND)).isEqualTo(SHARED - 30 + 1);
    }

    @Test
    void chargesOfOneRequestAreAllOrNothing() {
        settle();
        leaseSome();
        BucketSpec few = spec("few", Limit.of(1, Duration.ofHours(1)));
        assertThat(spend(new Charge(BUSY, ONE_PER_SECOND, 1), new Charge(BUSY, few, 1))
                        .allowed())
                .isTrue();
        SpendOutcome refused = spend(new Charge(BUSY, ONE_PER_SECOND, 1), new Charge(BUSY, few, 1));
        assertThat(refused.allowed()).isFalse();
        assertThat(refused.charges()).allMatch(outcome -> outcome.receipt() == null);
        store.close();
        assertThat(remaining(ONE_PER_SECOND)).isEqualTo(SHARED - 31);
    }

    @Test
    void aClientThatTheSharedBucketsRefuseIsRefusedHereUntilTheWaitIsOver() {
        BucketSpec tenPerSecond = spec("ten", new Limit(10, Duration.ofSeconds(1), 100, Algorithm.TOKEN_BUCKET));
        spend(new Charge(BUSY, tenPerSecond, 1));
        settle();
        int admitted = 0;
        while (spend(new Charge(BUSY, tenPerSecond, 1)).allowed()) {
            admitted++;
        }
        assertThat(admitted).isBetween(86, 100);
        int calls = view.calls();
        for (int i = 0; i < 10; i++) {
            SpendOutcome refused = spend(new Charge(BUSY, tenPerSecond, 1));
            assertThat(refused.allowed()).isFalse();
            assertThat(refused.charges().get(0).limits().get(0).waitNanos()).isEqualTo(100_000_000L - i * 5_000_000L);
            clock.advance(Duration.ofMillis(5));
        }
        assertThat(view.calls()).isEqualTo(calls);
        clock.advance(Duration.ofMillis(50));
        assertThat(spend(new Charge(BUSY, tenPerSecond, 1)).allowed()).isTrue();
    }

    @Test
    void whoWasRefusedSpendsWhatComesBackToALease() {
        BucketSpec tenPerSecond = spec("ten", new Limit(10, Duration.ofSeconds(1), 100, Algorithm.TOKEN_BUCKET));
        spend(new Charge(BUSY, tenPerSecond, 1));
        settle();
        Receipt leased = null;
        SpendOutcome last = spend(new Charge(BUSY, tenPerSecond, 1));
        while (last.allowed()) {
            leased = receipt(last) instanceof LeaseReceipt ? receipt(last) : leased;
            last = spend(new Charge(BUSY, tenPerSecond, 1));
        }
        store.refund(Objects.requireNonNull(leased), 1);
        assertThat(spend(new Charge(BUSY, tenPerSecond, 1)).allowed()).isTrue();
        assertThat(spend(new Charge(BUSY, tenPerSecond, 1)).allowed()).isFalse();
    }

    @Test
    void whoWasRefusedSpendsALeaseThatComesLate() {
        BucketSpec tenPerSecond = spec("ten", new Limit(10, Duration.ofSeconds(1), 100, Algorithm.TOKEN_BUCKET));
        spend(new Charge(BUSY, tenPerSecond, 1));
        settle();
        view.answersLate(answer -> answer.charges().get(0).charge().cost() > 1);
        int admitted = 0;
        while (spend(new Charge(BUSY, tenPerSecond, 1)).allowed()) {
            admitted++;
        }
        view.answersWhatIsLate();
        while (spend(new Charge(BUSY, tenPerSecond, 1)).allowed()) {
            admitted++;
        }
        assertThat(admitted).isEqualTo(100 - 2 * 6);
    }

    @Test
    void aCostThatTheSharedBucketNeverHoldsIsAdmittedOnceNothingIsLeased() {
        LeasingBucketStore leasing = new LeasingBucketStore(new OneHostsView(new ForgettingBuckets(clock), 2), clock);
        List<Charge> small = List.of(new Charge(BUSY, ONE_PER_SECOND, 10));
        List<Charge> large = List.of(new Charge(BUSY, ONE_PER_SECOND, SHARED + 1));
        leasing.spend(small, TIMEOUT);
        SpendOutcome refused =
                leasing.spend(large, TIMEOUT).toCompletableFuture().join();
        assertThat(refused.allowed()).isFalse();
        long wait = refused.charges().get(0).limits().get(0).waitNanos();
        assertThat(Duration.ofNanos(wait)).isEqualTo(Duration.ofSeconds(10).plus(LeasePlan.FORGOTTEN));
        clock.advance(Duration.ofSeconds(11));
        assertThat(leasing.spend(large, TIMEOUT).toCompletableFuture().join().allowed())
                .isFalse();
        clock.advance(Duration.ofSeconds(2));
        assertThat(leasing.spend(large, TIMEOUT).toCompletableFuture().join().allowed())
                .isTrue();
        assertThat(leasing.spend(small, TIMEOUT).toCompletableFuture().join().allowed())
                .isFalse();
    }

    @Test
    void newRulesDoNotLetALargeCostPassBesideOldLeases() {
        LeasingBucketStore leasing = new LeasingBucketStore(new OneHostsView(new ForgettingBuckets(clock), 2), clock);
        BucketSpec newer = new BucketSpec("orders", "everyone", 2, ONE_PER_SECOND.limits(), StorePolicy.UNSET);
        leasing.spend(List.of(new Charge(BUSY, ONE_PER_SECOND, 10)), TIMEOUT);
        clock.advance(Duration.ofMillis(10_500));
        assertThat(leasing.spend(List.of(new Charge(BUSY, newer, 3_600)), TIMEOUT)
                        .toCompletableFuture()
                        .join()
                        .allowed())
                .isFalse();
    }

    @Test
    void aRefusalIsRememberedForCostsThatAreAsLarge() {
        settle();
        BucketSpec tenPerSecond = spec("ten", new Limit(10, Duration.ofSeconds(1), 100, Algorithm.TOKEN_BUCKET));
        while (spend(new Charge(BUSY, tenPerSecond, 1)).allowed()) {
            clock.advanceNanos(1);
        }
        SpendOutcome larger = spend(new Charge(BUSY, tenPerSecond, 50));
        assertThat(larger.charges().get(0).limits().get(0).waitNanos()).isGreaterThan(4_000_000_000L);
    }

    @Test
    void aCostAboveTheLimitIsNeverAdmitted() {
        SpendOutcome refused = spend(BUSY, 3_601);
        assertThat(refused.allowed()).isFalse();
        assertThat(refused.charges().get(0).limits().get(0).waitNanos()).isEqualTo(LimitState.NEVER);
    }

    @Test
    void limitsThatDoNotRefillEvenlyAndSmallOnesAreExact() {
        settle();
        BucketSpec window = spec("window", new Limit(1_000, Duration.ofHours(1), 1_000, Algorithm.FIXED_WINDOW));
        BucketSpec small = spec("small", Limit.of(31, Duration.ofHours(1)));
        for (BucketSpec spec : List.of(window, small)) {
            view.isAway(true);
            assertThat(store.spend(List.of(new Charge(BUSY, spec, 1)), TIMEOUT)).isCompletedExceptionally();
            view.isAway(false);
            settle();
            int calls = view.calls();
            long capacity = spec.limits().get(0).capacity();
            for (int i = 0; i < capacity; i++) {
                assertThat(spend(new Charge(BUSY, spec, 1)).allowed()).isTrue();
            }
            assertThat(spend(new Charge(BUSY, spec, 1)).allowed()).isFalse();
            assertThat(view.calls() - calls).isEqualTo(capacity + 1);
        }
    }

    @Test
    void whileTheStoreIsAwayLeasesAreSpentToTheirEnd() {
        settle();
        leaseSome();
        view.isAway(true);
        assertThat(spend(BUSY, 1).allowed()).isTrue();
        clock.advance(LeasingBucketStore.LEASE);
        assertThat(store.spend(List.of(new Charge(BUSY, ONE_PER_SECOND, 1)), TIMEOUT)
                        .toCompletableFuture())
                .isCompletedExceptionally();
    }

    /** Spends 30 tokens and holds some more. */
    private void leaseSome() {
        for (int i = 0; i < 30; i++) {
            spend(BUSY, 1);
        }
    }

    private void settle() {
        store.hosts();
        spend(ClientIdentifier.of("user", "other"), 1);
        clock.advance(LeasingBucketStore.SETTLING);
        spend(ClientIdentifier.of("user", "other"), 1);
    }

    private SpendOutcome spend(ClientIdentifier client, long cost) {
        return spend(new Charge(client, ONE_PER_SECOND, cost));
    }

    private SpendOutcome spend(Charge... charges) {
        return store.spend(List.of(charges), TIMEOUT).toCompletableFuture().join();
    }

    /** What the shared bucket holds, which is less than the limit by what may be leased. */
    private long remaining(BucketSpec spec) {
        BucketStore shared = view;
        BucketSpec less = LeasePlan.settled(spec, 2).shared();
        return shared.spend(List.of(new Charge(BUSY, less, 0)), TIMEOUT)
                .toCompletableFuture()
                .join()
                .charges()
                .get(0)
                .limits()
                .get(0)
                .remaining();
    }

    private static Receipt receipt(SpendOutcome spent) {
        return spent.charges().get(0).receipt();
    }

    private static BucketSpec spec(String name, Limit limit) {
        return new BucketSpec("orders", name, 1, List.of(limit), StorePolicy.UNSET);
    }
}
