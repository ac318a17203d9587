package io.ratelimit.core.refusal;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.LimitState;
import io.ratelimit.TimeSource;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.bucket.AlgorithmContract;
import io.ratelimit.core.bucket.BucketStoreContract;
import io.ratelimit.core.bucket.ChargeKindContract;
import io.ratelimit.core.bucket.LocalBucketStore;
import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.LimitOptions;
import io.ratelimit.rules.Penalty;
import io.ratelimit.rules.Sharing;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import io.ratelimit.store.ChargeOutcome;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RefusingBucketStoreTest {

    private static final Duration TIMEOUT = Duration.ofMillis(20);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final long MILLI = 1_000_000L;

    private static final ClientIdentifier ALICE = ClientIdentifier.of("user", "alice");
    private static final ClientIdentifier BOB = ClientIdentifier.of("user", "bob");

    private final BucketSpec tenPerMinute = spec("ten", 1, Limit.of(10, MINUTE));
    private final BucketSpec fiftyPerSecond = spec("fifty", 1, Limit.of(50, Duration.ofSeconds(1)));
    private final BucketSpec wide = spec("wide", 1, Limit.of(1_000, MINUTE));

    private final ManualTimeSource clock = new ManualTimeSource(-7_000_000_000L);
    private final LocalBucketStore buckets = new LocalBucketStore(clock, 1_000_000);
    private final CountedBuckets shared = new CountedBuckets(buckets);
    private final RefusalMemory memory = new RefusalMemory(clock);
    private final BucketStore store = over(shared, memory, clock);

    static BucketStore over(BucketStore shared, RefusalMemory memory, TimeSource timeSource) {
        return new RefusingBucketStore(new NotingBucketStore(shared, memory, timeSource), memory, timeSource);
    }

    @Test
    void aClientThatIsRefusedCostsOneHopInATenthOfASecond() {
        spend(ALICE, tenPerMinute, 10);
        for (int i = 0; i < 1_000; i++) {
            assertThat(spend(ALICE, tenPerMinute, 1).allowed()).isFalse();
            clock.advance(Duration.ofMillis(1));
        }
        assertThat(shared.calls()).isEqualTo(1 + 10);
    }

    @Test
    void waitsBecomeShorterByTheTimeThatHasPassed() {
        spend(ALICE, tenPerMinute, 10);
        for (long i = 0; i < 10; i++) {
            LimitState said = limits(spend(ALICE, tenPerMinute, 2)).get(0);
            assertThat(said)
                    .isEqualTo(new LimitState(0, 12_000 * MILLI - i * 9 * MILLI, 6_000 * MILLI - i * 9 * MILLI));
            clock.advance(Duration.ofMillis(9));
        }
        assertThat(shared.calls()).isEqualTo(2);
    }

    @Test
    void whoComesAfterTheWaitIsNotRefusedAnyMore() {
        spend(ALICE, fiftyPerSecond, 50);
        assertThat(spend(ALICE, fiftyPerSecond, 1).allowed()).isFalse();
        clock.advanceNanos(20 * MILLI - 1);
        assertThat(limits(spend(ALICE, fiftyPerSecond, 1)))
                .extracting(LimitState::waitNanos)
                .containsExactly(1L);
        assertThat(shared.calls()).isEqualTo(2);
        clock.advanceNanos(1);
        assertThat(spend(ALICE, fiftyPerSecond, 1).allowed()).isTrue();
    }

    @Test
    void aRefusalIsAsOldAsItsQuestion() {
        spend(ALICE, fiftyPerSecond, 50);
        CompletableFuture<Void> answer = shared.keepAnswers();
        CompletableFuture<SpendOutcome> late = ask(new Charge(ALICE, fiftyPerSecond, 1));
        clock.advance(Duration.ofMillis(20));
        answer.complete(null);
        assertThat(late.join().allowed()).isFalse();
        assertThat(spend(ALICE, fiftyPerSecond, 1).allowed()).isTrue();
    }

    @Test
    void whatAnotherHostGivesBackIsThereAfterATenthOfASecond() {
        Receipt elsewhere = receipt(buckets.spend(List.of(new Charge(ALICE, tenPerMinute, 10)), TIMEOUT)
                .toCompletableFuture()
                .join());
        assertThat(spend(ALICE, tenPerMinute, 1).allowed()).isFalse();
        buckets.refund(elsewhere, 10);
        clock.advance(Duration.ofMillis(99));
        assertThat(spend(ALICE, tenPerMinute, 1).allowed()).isFalse();
        clock.advance(Duration.ofMillis(1));
        assertThat(spend(ALICE, tenPerMinute, 1).allowed()).isTrue();
    }

    @Test
    void aRefundOrAnUndoneChargeOfThisHostIsThereAtOnce() {
        Receipt first = receipt(spend(ALICE, tenPerMinute, 5));
        Receipt second = receipt(spend(ALICE, tenPerMinute, 5));
        refuseOnce(ALICE, tenPerMinute);
        store.refund(first, 1);
        assertThat(spend(ALICE, tenPerMinute, 1).allowed()).isTrue();
        refuseOnce(ALICE, tenPerMinute);
        store.undo(second, 5);
        assertThat(spend(ALICE, tenPerMinute, 5).allowed()).isTrue();
    }

    @Test
    void aRefundUnderAnotherRuleOrOfAnotherClientLeavesARefusalAlone() {
        Receipt other = receipt(spend(ALICE, wide, 5));
        Receipt bobs = receipt(spend(BOB, tenPerMinute, 5));
        spend(ALICE, tenPerMinute, 10);
        refuseOnce(ALICE, tenPerMinute);
        int calls = shared.calls();
        store.refund(other, 5);
        store.undo(bobs, 5);
        assertThat(spend(ALICE, tenPerMinute, 1).allowed()).isFalse();
        assertThat(shared.calls()).isEqualTo(calls);
    }

    @Test
    void aRefusalThatIsAnsweredAfterARefundIsNotRepeated() {
        Receipt receipt = receipt(spend(ALICE, tenPerMinute, 10));
        clock.advance(Duration.ofMillis(1));
        CompletableFuture<Void> answer = shared.keepAnswers();
        CompletableFuture<SpendOutcome> late = ask(new Charge(ALICE, tenPerMinute, 1));
        clock.advance(Duration.ofMillis(1));
        store.refund(receipt, 10);
        clock.advance(Duration.ofMillis(1));
        answer.complete(null);
        assertThat(late.join().allowed()).isFalse();
        assertThat(spend(ALICE, tenPerMinute, 1).allowed()).isTrue();
    }

    @Test
    void whileARefundIsOnItsWayTheStoreIsAskedAndWhatItRefusesIsNotRepeatedAfterIt() {
        Receipt receipt = receipt(spend(ALICE, tenPerMinute, 10));
        refuseOnce(ALICE, tenPerMinute);
        int calls = shared.calls();
        CompletableFuture<Void> refund = shared.keepRefunds();
        store.refund(receipt, 10);
        clock.advance(Duration.ofMillis(1));
        assertThat(spend(ALICE, tenPerMinute, 1).allowed()).isFalse();
        assertThat(shared.calls()).isEqualTo(calls + 1);
        clock.advance(Duration.ofMillis(1));
        refund.complete(null);
        assertThat(spend(ALICE, tenPerMinute, 1).allowed()).isTrue();
    }

    @Test
    void otherLimitsOfAReloadedRuleAreAsked() {
        spend(ALICE, tenPerMinute, 10);
        refuseOnce(ALICE, tenPerMinute);
        assertThat(spend(ALICE, spec("ten", 2, Limit.of(20, MINUTE)), 1).allowed())
                .isTrue();
    }

    @Test
    void anotherCostIsAskedForByItself() {
        spend(ALICE, tenPerMinute, 8);
        assertThat(spend(ALICE, tenPerMinute, 5).allowed()).isFalse();
        assertThat(limits(spend(ALICE, tenPerMinute, 6)).get(0).waitNanos()).isEqualTo(24_000 * MILLI);
        assertThat(spend(ALICE, tenPerMinute, 2).allowed()).isTrue();
        assertThat(spend(ALICE, tenPerMinute, 0).allowed()).isTrue();
        assertThat(shared.calls()).isEqualTo(5);
        // Both are known now.
        assertThat(spend(ALICE, tenPerMinute, 5).allowed()).isFalse();
        assertThat(spend(ALICE, tenPerMinute, 6).allowed()).isFalse();
        assertThat(shared.calls()).isEqualTo(5);
    }

    @Test
    void whatNoWaitingHelpsIsRepeatedForAWhileToo() {
        for (int i = 0; i < 100; i++) {
            assertThat(limits(spend(ALICE, tenPerMinute, 11)))
                    .extracting(LimitState::waitNanos)
                    .containsExactly(LimitState.NEVER);
            clock.advance(Duration.ofMillis(1));
        }
        assertThat(shared.calls()).isEqualTo(1);
    }

    @Test
    void whoeverIsRefusedUnderOneRuleIsRefusedAndTheOthersAreToldAsTheyStood() {
        Charge few = new Charge(ALICE, tenPerMinute, 1);
        Charge many = new Charge(ClientIdentifier.SERVICE, wide, 1);
        Charge shadow = new Charge(ALICE, spec("shadow", 1, Limit.of(1, MINUTE)), 1).as(Charge.Kind.SHADOW);
        spend(ALICE, tenPerMinute, 10);
        SpendOutcome asked = ask(few, many, shadow).join();
        clock.advance(Duration.ofMillis(10));
        SpendOutcome refused = ask(few, many, shadow).join();
        assertThat(shared.calls()).isEqualTo(2);
        assertThat(refused.allowed()).isFalse();
        assertThat(refused.degraded()).isFalse();
        assertThat(refused.charges()).extracting(ChargeOutcome::charge).containsExactly(few, many, shadow);
        assertThat(refused.charges()).allMatch(outcome -> outcome.receipt() == null);
        assertThat(refused.charges().get(1).limits())
                .isEqualTo(asked.charges().get(1).limits());
        assertThat(refused.charges()).extracting(ChargeOutcome::admits).containsExactly(false, true, true);

        Charge unknown = new Charge(BOB, wide, 1);
        SpendOutcome beside = ask(unknown, few).join();
        assertThat(beside.allowed()).isFalse();
        assertThat(beside.charges().get(0).limits()).isEmpty();
        assertThat(beside.charges().get(1).admits()).isFalse();
        assertThat(shared.calls()).isEqualTo(2);
        assertThat(limits(spend(BOB, wide, 0)).get(0).remaining()).isEqualTo(1_000);
    }

    @Test
    void whatAStoreTriedForARequestThatAnotherClientRefusedIsNotHeldAgainstOthers() {
        Charge tried = new Charge(ClientIdentifier.SERVICE, tenPerMinute, 10);
        Charge refusing = new Charge(BOB, spec("none", 1, Limit.of(0, MINUTE)), 1);
        // As a store does that keeps the two on different owners: it spends, and gives back when the other refuses.
        Receipt trial = receipt(
                buckets.spend(List.of(tried), TIMEOUT).toCompletableFuture().join());
        CompletableFuture<Void> answer = shared.keepAnswers();
        buckets.spend(List.of(refusing), TIMEOUT);
        buckets.undo(trial, 10);
        CompletableFuture<SpendOutcome> request = ask(tried, refusing);
        clock.advance(Duration.ofMillis(1));
        Receipt again = receipt(
                buckets.spend(List.of(tried), TIMEOUT).toCompletableFuture().join());
        CompletableFuture<SpendOutcome> other = ask(new Charge(ClientIdentifier.SERVICE, tenPerMinute, 1));
        buckets.undo(again, 10);
        clock.advance(Duration.ofMillis(1));
        answer.complete(null);
        assertThat(request.join().allowed()).isFalse();
        assertThat(other.join().allowed()).isFalse();
        assertThat(spend(ClientIdentifier.SERVICE, tenPerMinute, 1).allowed()).isTrue();
    }

    @Test
    void rulesUnderWhichARefusalCountsAreAskedEachTime() {
        Limit charged = new Limit(10, MINUTE, 10, Algorithm.TOKEN_BUCKET, LimitOptions.NONE.withChargeRefused(true));
        Limit penalised = new Limit(
                10, MINUTE, 10, Algorithm.TOKEN_BUCKET, LimitOptions.NONE.withPenalty(new Penalty(3, MINUTE)));
        spend(ALICE, tenPerMinute, 10);
        refuseOnce(ALICE, tenPerMinute);
        for (Limit limit : List.of(charged, penalised)) {
            BucketSpec counting = spec("counting" + limit, 1, limit);
            spend(ALICE, counting, 10);
            int calls = shared.calls();
            for (int i = 0; i < 5; i++) {
                assertThat(spend(ALICE, counting, 1).allowed()).isFalse();
                assertThat(ask(new Charge(ALICE, tenPerMinute, 1), new Charge(ALICE, counting, 1))
                                .join()
                                .allowed())
                        .isFalse();
            }
            assertThat(shared.calls()).isEqualTo(calls + 10);
        }
    }

    @Test
    void requestsUnderWayAreAskedForEachTime() {
        BucketSpec atOnce = spec("at-once", 1, new Limit(1, Duration.ZERO, 1, Algorithm.CONCURRENCY));
        Receipt running = receipt(spend(ALICE, atOnce, 1));
        assertThat(spend(ALICE, atOnce, 1).allowed()).isFalse();
        store.release(running);
        assertThat(spend(ALICE, atOnce, 1).allowed()).isTrue();
    }

    @Test
    void whoWaitsOrOnlyLooksOrHasPassedAlreadyIsAskedForEachTime() {
        spend(ALICE, tenPerMinute, 10);
        refuseOnce(ALICE, tenPerMinute);
        int calls = shared.calls();
        Charge charge = new Charge(ALICE, tenPerMinute, 1);
        assertThat(ask(charge.as(Charge.Kind.LOOK)).join().allowed()).isTrue();
        assertThat(ask(charge.as(Charge.Kind.SHADOW)).join().allowed()).isTrue();
        assertThat(ask(charge.as(Charge.Kind.LATE)).join().allowed()).isTrue();
        assertThat(ask(charge.as(Charge.Kind.MORE)).join().allowed()).isFalse();
        assertThat(ask(charge.waiting(1)).join().allowed()).isFalse();
        assertThat(ask(charge.waiting(MINUTE.toNanos())).join().allowed()).isTrue();
        assertThat(shared.calls()).isEqualTo(calls + 6);
    }

    @Test
    void aLateChargeBesideARefusalIsMadeAllTheSame() {
        spend(ALICE, tenPerMinute, 10);
        refuseOnce(ALICE, tenPerMinute);
        ask(new Charge(ALICE, tenPerMinute, 1), new Charge(ALICE, wide, 7).as(Charge.Kind.LATE))
                .join();
        assertThat(limits(spend(ALICE, wide, 0)).get(0).remaining()).isEqualTo(993);
    }

    @Test
    void whatIsLeasedKnowsItsRefusalsItself() {
        StorePolicy leased = new StorePolicy(Sharing.LEASED, null, null);
        BucketSpec lease = new BucketSpec("orders", "leased", 1, List.of(Limit.of(10, MINUTE)), leased);
        spend(ALICE, lease, 10);
        spend(ALICE, lease, 1);
        spend(ALICE, lease, 1);
        assertThat(shared.calls()).isEqualTo(3);
    }

    @Test
    void anAnswerInPlaceOfTheStoresIsNotRepeated() {
        shared.answerInPlaceOfOthers();
        spend(ALICE, tenPerMinute, 10);
        spend(ALICE, tenPerMinute, 1);
        spend(ALICE, tenPerMinute, 1);
        assertThat(shared.calls()).isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource(names = {"TOKEN_BUCKET", "FIXED_WINDOW", "SLIDING_WINDOW_LOG", "SLIDING_WINDOW_COUNTER"})
    void clientsOfAllLimitsThatTimeRefillsAreRefusedFromMemory(Algorithm algorithm) {
        BucketSpec spec = spec("any", 1, new Limit(3, MINUTE, 3, algorithm));
        spend(ALICE, spec, 3);
        for (int i = 0; i < 50; i++) {
            assertThat(spend(ALICE, spec, 1).allowed()).isFalse();
            clock.advance(Duration.ofMillis(1));
        }
        assertThat(shared.calls()).isEqualTo(2);
    }

    @Test
    void aFloodOfRefusedClientsTakesNoMoreThanItsPlaces() {
        assertThat(repeated("client-")).isBetween(50_000, 65_536);
        assertThat(memory.size()).isBetween(50_000, 65_536);
        clock.advance(Duration.ofMillis(100));
        assertThat(repeated("another-")).isBetween(50_000, 65_536);
    }

    /** How many of 200,000 clients are refused from memory when each of them has come before. */
    private int repeated(String clients) {
        BucketSpec none = spec("none", 1, Limit.of(0, MINUTE));
        int calls = shared.calls();
        for (int i = 0; i < 400_000; i++) {
            ClientIdentifier client = ClientIdentifier.of("ip", clients + i % 200_000);
            assertThat(spend(client, none, 1).allowed()).isFalse();
        }
        return 400_000 - (shared.calls() - calls);
    }

    @Test
    void refusalsThatAreOverAreForgotten() {
        spend(ALICE, tenPerMinute, 10);
        refuseOnce(ALICE, tenPerMinute);
        memory.sweep();
        assertThat(memory.size()).isEqualTo(1);
        clock.advance(Duration.ofMillis(100));
        memory.sweep();
        assertThat(memory.size()).isZero();
    }

    /** Once by the store, and once by itself, at a time at which nothing else is given back. */
    private void refuseOnce(ClientIdentifier client, BucketSpec bucket) {
        clock.advance(Duration.ofMillis(1));
        int calls = shared.calls();
        assertThat(spend(client, bucket, 1).allowed()).isFalse();
        assertThat(spend(client, bucket, 1).allowed()).isFalse();
        assertThat(shared.calls()).isEqualTo(calls + 1);
    }

    private SpendOutcome spend(ClientIdentifier client, BucketSpec bucket, long cost) {
        return ask(new Charge(client, bucket, cost)).join();
    }

    private CompletableFuture<SpendOutcome> ask(Charge... charges) {
        return store.spend(List.of(charges), TIMEOUT).toCompletableFuture();
    }

    private static Receipt receipt(SpendOutcome outcome) {
        return Objects.requireNonNull(outcome.charges().get(0).receipt());
    }

    private static List<LimitState> limits(SpendOutcome outcome) {
        return outcome.charges().get(0).limits();
    }

    private static BucketSpec spec(String name, long version, Limit limit) {
        return new BucketSpec("orders", name, version, List.of(limit), StorePolicy.UNSET);
    }

    private static BucketStore local(TimeSource timeSource) {
        return over(new LocalBucketStore(timeSource, 1_000), new RefusalMemory(timeSource), timeSource);
    }

    @Nested
    class Buckets extends BucketStoreContract {

        @Override
        protected BucketStore createStore(TimeSource timeSource) {
            return local(timeSource);
        }

        @Override
        protected boolean keepsServicesApart() {
            return false;
        }
    }

    @Nested
    class KindsOfCharges extends ChargeKindContract {

        @Override
        protected BucketStore createStore(TimeSource timeSource) {
            return local(timeSource);
        }
    }

    @Nested
    class Algorithms extends AlgorithmContract {

        @Override
        protected BucketStore createStore(TimeSource timeSource) {
            return local(timeSource);
        }
    }
}
