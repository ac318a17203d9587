package io.ratelimit.core.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.LimitState;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.Charge;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every store promises of buckets that refill evenly. */
public abstract class BucketStoreContract extends StoreContract {

    @Test
    void aFreshBucketHoldsItsCapacityAndNoMore() {
        BucketSpec spec = spec("everyone", Limit.of(10, MINUTE));
        for (long remaining = 9; remaining >= 0; remaining--) {
            assertThat(states(spend(alice, spec, 1))).containsExactly(new LimitState(remaining, 0, 6 * NANOS));
        }
        assertThat(spend(alice, spec, 1).allowed()).isFalse();
    }

    @Test
    void aRefusalTellsWhenTheChargeWouldPassAndThenItDoes() {
        BucketSpec spec = spec("everyone", Limit.of(10, MINUTE));
        spend(alice, spec, 10);
        assertThat(states(spend(alice, spec, 3))).containsExactly(new LimitState(0, 18 * NANOS, 6 * NANOS));

        clock.advanceNanos(18 * NANOS - 1);
        assertThat(spend(alice, spec, 3).allowed()).isFalse();
        clock.advanceNanos(1);
        assertThat(states(spend(alice, spec, 3))).containsExactly(new LimitState(0, 0, 6 * NANOS));
        assertThat(spend(alice, spec, 1).allowed()).isFalse();
    }

    @Test
    void waitsThatDoNotDivideEvenlyAreRoundedUp() {
        BucketSpec spec = spec("everyone", Limit.of(3, SECOND));
        spend(alice, spec, 3);
        LimitState refused = states(spend(alice, spec, 1)).get(0);
        assertThat(refused.waitNanos()).isEqualTo(inTicks(333_333_334L));

        clock.advanceNanos(refused.waitNanos() - 1);
        assertThat(spend(alice, spec, 1).allowed()).isFalse();
        clock.advanceNanos(1);
        assertThat(spend(alice, spec, 1).allowed()).isTrue();
    }

    @Test
    void aBucketIsFullAgainAfterItsPeriodAndNeverFuller() {
        BucketSpec spec = spec("everyone", Limit.of(10, MINUTE).withBurst(20));
        spend(alice, spec, 20);
        clock.advance(Duration.ofMinutes(2));
        assertThat(states(look(alice, spec))).containsExactly(new LimitState(20, 0, 0));
        clock.advance(Duration.ofDays(10));
        assertThat(spend(alice, spec, 20).allowed()).isTrue();
        assertThat(spend(alice, spec, 1).allowed()).isFalse();
    }

    @Test
    void allLimitsMustHoldAndARefusalChangesNoneOfThem() {
        BucketSpec spec = spec("everyone", Limit.of(60, MINUTE), Limit.of(3, Duration.ofHours(1)));
        for (int i = 0; i < 3; i++) {
            assertThat(spend(alice, spec, 1).allowed()).isTrue();
        }
        SpendOutcome refused = spend(alice, spec, 1);
        assertThat(refused.allowed()).isFalse();
        assertThat(states(refused))
                .containsExactly(new LimitState(57, 0, NANOS), new LimitState(0, 1200 * NANOS, 1200 * NANOS));

        clock.advance(Duration.ofSeconds(65));
        SpendOutcome still = spend(alice, spec, 1);
        assertThat(states(still))
                .containsExactly(new LimitState(60, 0, 0), new LimitState(0, 1135 * NANOS, 1135 * NANOS));
    }

    @Test
    void allChargesOfARequestAreSpentOrNone() {
        BucketSpec wide = spec("wide", Limit.of(100, MINUTE));
        BucketSpec narrow = spec("narrow", Limit.of(2, MINUTE));
        List<Charge> both = List.of(new Charge(alice, wide, 1), new Charge(alice, narrow, 1));
        assertThat(spend(both).allowed()).isTrue();
        assertThat(spend(both).allowed()).isTrue();

        SpendOutcome refused = spend(both);
        assertThat(refused.allowed()).isFalse();
        assertThat(refused.charges().get(0).charge()).isEqualTo(both.get(0));
        assertThat(refused.charges().get(0).admits()).isTrue();
        assertThat(refused.charges().get(1).admits()).isFalse();
        assertThat(refused.charges())
                .allSatisfy(outcome -> assertThat(outcome.receipt()).isNull());
        assertThat(remaining(look(alice, wide))).isEqualTo(98);
    }

    @Test
    void chargesOfDifferentClientsAreSpentTogetherOrNotAtAll() {
        BucketSpec perClient = spec("per-client", Limit.of(10, MINUTE));
        BucketSpec global = spec("global", Limit.of(3, MINUTE));
        List<Charge> both = List.of(new Charge(alice, perClient, 1), new Charge(ClientIdentifier.SERVICE, global, 1));
        for (int i = 0; i < 3; i++) {
            assertThat(spend(both).allowed()).isTrue();
        }
        SpendOutcome refused = spend(both);
        assertThat(refused.allowed()).isFalse();
        assertThat(states(refused))
                .containsExactly(new LimitState(7, 0, 6 * NANOS), new LimitState(0, 20 * NANOS, 20 * NANOS));
        assertThat(remaining(look(alice, perClient))).isEqualTo(7);
        assertThat(remaining(look(ClientIdentifier.SERVICE, global))).isZero();
    }

    @Test
    void concurrentRequestsAreAdmittedToExactlyTheCapacity() throws Exception {
        BucketSpec spec = spec("everyone", Limit.of(137, MINUTE));
        assertThat(admittedOf(1000, () -> spend(alice, spec, 1).allowed())).isEqualTo(137);
        assertThat(remaining(look(alice, spec))).isZero();
    }

    @Test
    void concurrentRequestsUnderSeveralRulesAreAdmittedToExactlyTheTightestLimit() throws Exception {
        BucketSpec wide = spec("wide", Limit.of(1000, MINUTE), Limit.of(150, Duration.ofHours(1)));
        BucketSpec narrow = spec("narrow", Limit.of(137, MINUTE));
        List<Charge> oneWay = List.of(new Charge(alice, wide, 1), new Charge(alice, narrow, 1));
        List<Charge> otherWay = List.of(new Charge(alice, narrow, 1), new Charge(alice, wide, 1));
        int admitted = admittedOf(
                500, () -> spend(oneWay).allowed(), () -> spend(otherWay).allowed());
        assertThat(admitted).isEqualTo(137);
        assertThat(states(look(alice, wide))).extracting(LimitState::remaining).containsExactly(863L, 13L);
    }

    @Test
    void aCostOfZeroLooksEvenAtAnEmptyBucket() {
        BucketSpec spec = spec("everyone", Limit.of(10, MINUTE));
        assertThat(states(look(alice, spec))).containsExactly(new LimitState(10, 0, 0));
        spend(alice, spec, 10);
        SpendOutcome looked = look(alice, spec);
        assertThat(looked.allowed()).isTrue();
        assertThat(states(looked)).containsExactly(new LimitState(0, 0, 6 * NANOS));
    }

    @Test
    void aCostOfTheWholeCapacityPassesAndAGreaterOneNeverDoes() {
        BucketSpec spec = spec("everyone", Limit.of(10, MINUTE));
        assertThat(states(spend(alice, spec, 11))).containsExactly(new LimitState(10, LimitState.NEVER, 0));
        assertThat(remaining(spend(alice, spec, 1))).isEqualTo(9);
        assertThat(remaining(spend(bob, spec, 10))).isZero();
        assertThat(states(spend(alice, spec, Long.MAX_VALUE)).get(0).waitNanos())
                .isEqualTo(LimitState.NEVER);

        assertThat(states(spend(alice, spec, 10)).get(0).waitNanos()).isEqualTo(6 * NANOS);
        clock.advance(Duration.ofSeconds(6));
        assertThat(spend(alice, spec, 10).allowed()).isTrue();
    }

    @Test
    void aBlockedLimitRefusesWithoutAPromise() {
        BucketSpec spec = spec("nobody", Limit.BLOCKED);
        assertThat(states(spend(alice, spec, 1))).containsExactly(new LimitState(0, LimitState.NEVER, 0));
        clock.advance(Duration.ofDays(1000));
        assertThat(spend(alice, spec, 1).allowed()).isFalse();
    }

    @Test
    void aRefundGivesTheTokensBack() {
        BucketSpec spec = spec("everyone", Limit.of(10, MINUTE), Limit.of(100, Duration.ofHours(1)));
        Receipt receipt = receipt(spend(alice, spec, 5));
        spend(alice, spec, 2);
        refund(receipt, 3);
        assertThat(states(look(alice, spec))).extracting(LimitState::remaining).containsExactly(6L, 96L);
    }

    @Test
    void aRefundGivesNothingBackThatHasRefilledMeanwhile() {
        BucketSpec spec = spec("everyone", Limit.of(10, MINUTE));
        Receipt receipt = receipt(spend(alice, spec, 5));
        clock.advance(MINUTE);
        spend(alice, spec, 4);
        refund(receipt, 5);
        assertThat(remaining(look(alice, spec))).isEqualTo(6);
    }

    @Test
    void aRefundGivesOnlyThatPartBackThatHasNotRefilled() {
        BucketSpec spec = spec("everyone", Limit.of(10, MINUTE));
        Receipt receipt = receipt(spend(alice, spec, 5));
        clock.advance(Duration.ofSeconds(18));
        spend(alice, spec, 4);
        refund(receipt, 5);
        assertThat(remaining(look(alice, spec))).isEqualTo(6);
    }

    @Test
    void aRefundNeverFillsABucketAboveItsCapacity() {
        BucketSpec spec = spec("everyone", Limit.of(10, MINUTE));
        Receipt receipt = receipt(spend(alice, spec, 5));
        clock.advance(Duration.ofSeconds(12));
        refund(receipt, 5);
        assertThat(states(look(alice, spec))).containsExactly(new LimitState(10, 0, 0));
        assertThat(spend(alice, spec, 10).allowed()).isTrue();
        assertThat(spend(alice, spec, 1).allowed()).isFalse();
    }

    @Test
    void aRefundForABucketThatWasForgottenGivesNothing() {
        BucketSpec spec = spec("everyone", Limit.of(10, SECOND));
        Receipt receipt = receipt(spend(alice, spec, 5));
        clock.advance(Duration.ofDays(1));
        refund(receipt, 5);
        assertThat(spend(alice, spec, 10).allowed()).isTrue();
        refund(receipt, 5);
        assertThat(spend(alice, spec, 1).allowed()).isFalse();
    }

    @Test
    void whatFollowsAnAnswerMayAskTheStoreAgain() {
        BucketSpec spec = spec("everyone", Limit.of(10, MINUTE));
        SpendOutcome looked = store().spend(List.of(new Charge(alice, spec, 5)), TIMEOUT)
                .thenCompose(spent -> store().refund(receipt(spent), 5))
                .thenCompose(done -> store().spend(List.of(new Charge(bob, spec, 3)), TIMEOUT))
                .thenCompose(spent -> store().spend(List.of(new Charge(alice, spec, 0)), TIMEOUT))
                .toCompletableFuture()
                .join();
        assertThat(remaining(looked)).isEqualTo(10);
    }

    @Test
    void differentClientsRulesAndServicesNeverMeet() {
        Limit limit = Limit.of(1, MINUTE);
        BucketSpec first = spec("first", limit);
        BucketSpec second = spec("second", limit);
        BucketSpec elsewhere = new BucketSpec(service + "-b", "first", 1, List.of(limit), StorePolicy.UNSET);
        ClientIdentifier pair = ClientIdentifier.composite(List.of(alice, ClientIdentifier.of("header:x", "b_c")));
        ClientIdentifier otherPair = ClientIdentifier.composite(
                List.of(ClientIdentifier.of("user", "alice_b"), ClientIdentifier.of("header:x", "c")));
        assertThat(spend(alice, first, 1).allowed()).isTrue();
        assertThat(spend(alice, second, 1).allowed()).isTrue();
        assertThat(spend(bob, first, 1).allowed()).isTrue();
        assertThat(spend(pair, first, 1).allowed()).isTrue();
        assertThat(spend(otherPair, first, 1).allowed()).isTrue();
        assertThat(spend(ClientIdentifier.of("ip", "alice"), first, 1).allowed())
                .isTrue();
        if (keepsServicesApart()) {
            assertThat(spend(alice, elsewhere, 1).allowed()).isTrue();
        }
        assertThat(spend(ClientIdentifier.of("user", "alice"), first, 1).allowed())
                .isFalse();
    }

    /**
     * Whether services may share the store.
     *
     * @return false for a store that one engine has for itself
     */
    protected boolean keepsServicesApart() {
        return true;
    }

    @Test
    void whatWasUsedStaysUsedUnderNewRules() {
        Duration quarter = Duration.ofMinutes(15);
        spend(alice, spec("everyone", 1, Limit.of(1000, quarter)), 1);
        BucketSpec tightened = spec("everyone", 2, Limit.of(10, quarter));
        assertThat(remaining(look(alice, tightened))).isEqualTo(9);
        assertThat(admitted(alice, tightened, 20)).isEqualTo(9);
        assertThat(admitted(alice, spec("everyone", 3, Limit.of(50, quarter)), 60))
                .isEqualTo(40);
        assertThat(admitted(alice, spec("everyone", 3, Limit.of(50, quarter)), 5))
                .isZero();
    }

    @Test
    void aClientFarOverANewLimitWaitsAsLongAsItIsTold() {
        Duration quarter = Duration.ofMinutes(15);
        spend(alice, spec("everyone", 1, Limit.of(1000, quarter)), 999);
        BucketSpec tightened = spec("everyone", 2, Limit.of(10, quarter));
        assertThat(states(spend(alice, tightened, 1))).containsExactly(new LimitState(0, 90 * NANOS, 90 * NANOS));
        clock.advance(Duration.ofSeconds(90));
        assertThat(spend(alice, tightened, 1).allowed()).isTrue();
    }

    @Test
    void aLimitWithoutPredecessorStartsFullAndPairedOnesGoOn() {
        BucketSpec before = spec("everyone", 1, Limit.of(10, MINUTE), Limit.of(20, MINUTE), Limit.of(5, SECOND));
        spend(alice, before, 4);
        BucketSpec after =
                spec("everyone", 2, Limit.of(100, Duration.ofHours(1)), Limit.of(8, SECOND), Limit.of(20, MINUTE));
        assertThat(states(look(alice, after))).extracting(LimitState::remaining).containsExactly(100L, 4L, 16L);
    }

    @Test
    void anOlderVersionIsServedUnderTheNewerLimits() {
        BucketSpec older = spec("everyone", 1, Limit.of(1000, MINUTE));
        BucketSpec newer = spec("everyone", 2, Limit.of(10, MINUTE), Limit.of(2, Duration.ofHours(1)));
        spend(alice, newer, 1);
        SpendOutcome allowed = spend(alice, older, 1);
        assertThat(states(allowed)).extracting(LimitState::remaining).containsExactly(8L);
        SpendOutcome refused = spend(alice, older, 1);
        assertThat(refused.allowed()).isFalse();
        assertThat(refused.charges().get(0).admits()).isFalse();
        assertThat(states(refused)).hasSize(1);
        refund(receipt(allowed), 1);
        assertThat(spend(alice, newer, 1).allowed()).isTrue();
        assertThat(spend(alice, newer, 1).allowed()).isFalse();
    }

    @Test
    void anEqualVersionLeavesTheBudgetAlone() {
        spend(alice, spec("everyone", 7, Limit.of(10, MINUTE)), 10);
        assertThat(spend(alice, spec("everyone", 7, Limit.of(10, MINUTE)), 1).allowed())
                .isFalse();
        assertThat(spend(alice, spec("everyone", 7, Limit.of(500, MINUTE)), 1).allowed())
                .isFalse();
    }

    @Test
    void aLimitThatWasTightenedWithoutAnotherVersionBitesAndIsNotTakenBack() {
        BucketSpec wide = spec("everyone", 7, Limit.of(500, MINUTE));
        BucketSpec tight = spec("everyone", 7, Limit.of(10, MINUTE));
        spend(alice, wide, 4);
        for (int i = 0; i < 3; i++) {
            assertThat(states(spend(alice, tight, 1)).get(0).remaining()).isEqualTo(5 - 2 * i);
            assertThat(spend(alice, wide, 1).allowed()).isTrue();
        }
        assertThat(spend(alice, wide, 1).allowed()).isFalse();
        assertThat(spend(alice, tight, 1).allowed()).isFalse();
    }

    @Test
    void aReceiptOutlivesAReloadThatLeavesTheLimit() {
        Receipt receipt = receipt(spend(alice, spec("everyone", 1, Limit.of(10, MINUTE)), 10));
        BucketSpec reloaded = spec("everyone", 2, Limit.of(5, SECOND), Limit.of(10, MINUTE));
        assertThat(spend(alice, reloaded, 1).allowed()).isFalse();
        refund(receipt, 10);
        assertThat(states(look(alice, reloaded)))
                .extracting(LimitState::remaining)
                .containsExactly(5L, 10L);
    }

    @Test
    void veryLargeLimitsDoNotOverflow() {
        BucketSpec spec = spec("bulk", Limit.of(980_000_000, Duration.ofSeconds(10)));
        assertThat(spend(alice, spec, 980_000_000).allowed()).isTrue();
        clock.advance(Duration.ofMillis(100));
        assertThat(states(spend(alice, spec, 980_000_000)).get(0))
                .isEqualTo(new LimitState(9_800_000, 9_900_000_000L, inTicks(11)));
        clock.advance(Duration.ofMillis(5_000));
        assertThat(spend(alice, spec, 490_000_000).allowed()).isTrue();
        clock.advance(Duration.ofMillis(100));
        assertThat(states(spend(alice, spec, 700_000_000)).get(0).waitNanos()).isBetween(6 * NANOS, 8 * NANOS);
        clock.advance(Duration.ofMillis(10_100));
        assertThat(remaining(spend(alice, spec, 980_000_000))).isZero();
    }

    @Test
    void aHundredTrillionPerHourAreCountedExactly() {
        BucketSpec spec = spec("huge", Limit.of(100_000_000_000_000L, Duration.ofHours(1)));
        assertThat(remaining(spend(alice, spec, 1))).isEqualTo(99_999_999_999_999L);
        assertThat(remaining(spend(alice, spec, 99_999_999_999_999L))).isZero();
        assertThat(spend(alice, spec, 1).allowed()).isFalse();
    }

    @Test
    void onePerThirtyDaysIsRefusedForThirtyDays() {
        BucketSpec spec = spec("monthly", Limit.of(1, Duration.ofDays(30)));
        assertThat(spend(alice, spec, 1).allowed()).isTrue();
        assertThat(states(spend(alice, spec, 1)).get(0).waitNanos()).isEqualTo(2_592_000L * NANOS);
        clock.advance(Duration.ofDays(30).minusNanos(1));
        assertThat(spend(alice, spec, 1).allowed()).isFalse();
        clock.advanceNanos(1);
        assertThat(spend(alice, spec, 1).allowed()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {-10_000_000_000L, Long.MAX_VALUE - 5_000_000_000L, Long.MIN_VALUE, 0})
    void theOriginOfTheClockMeansNothing(long origin) {
        clock = new ManualTimeSource(origin);
        BucketSpec spec = spec("everyone", Limit.of(10, Duration.ofSeconds(10)));
        for (int i = 0; i < 10; i++) {
            assertThat(spend(alice, spec, 2).allowed()).isEqualTo(i < 9);
            clock.advance(SECOND);
        }
        assertThat(remaining(look(alice, spec))).isEqualTo(2);
    }
}
