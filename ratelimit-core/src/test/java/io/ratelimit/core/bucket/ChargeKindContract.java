package io.ratelimit.core.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.Lists;
import io.ratelimit.LimitState;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.LimitOptions;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.Charge;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What every store promises of charges that wait their turn, only look over the shoulder, or come late. */
public abstract class ChargeKindContract extends StoreContract {

    private static final Limit TEN_PER_MINUTE = Limit.of(10, MINUTE);

    @Test
    void aChargeThatMayWaitIsAdmittedAheadAndToldItsTurn() {
        BucketSpec spec = spec("everyone", TEN_PER_MINUTE);
        spend(alice, spec, 10);
        assertThat(states(spend(waiting(spec, 1, 20)))).containsExactly(new LimitState(0, 6 * NANOS, 12 * NANOS));
        assertThat(states(spend(waiting(spec, 1, 20)))).containsExactly(new LimitState(0, 12 * NANOS, 18 * NANOS));
        assertThat(states(spend(waiting(spec, 1, 20)))).containsExactly(new LimitState(0, 18 * NANOS, 24 * NANOS));

        SpendOutcome tooLate = spend(waiting(spec, 1, 20));
        assertThat(tooLate.allowed()).isFalse();
        assertThat(states(tooLate)).containsExactly(new LimitState(0, 24 * NANOS, 24 * NANOS));
    }

    @Test
    void whoDoesNotWaitComesAfterThoseWhoDo() {
        BucketSpec spec = spec("everyone", TEN_PER_MINUTE);
        spend(alice, spec, 10);
        spend(waiting(spec, 2, 60));
        clock.advance(Duration.ofSeconds(12));
        assertThat(spend(alice, spec, 1).allowed()).isFalse();
        clock.advance(Duration.ofSeconds(6));
        assertThat(spend(alice, spec, 1).allowed()).isTrue();
    }

    @Test
    void aTurnThatIsGivenUpIsFreeAgain() {
        BucketSpec spec = spec("everyone", TEN_PER_MINUTE);
        spend(alice, spec, 10);
        SpendOutcome turn = spend(waiting(spec, 3, 60));
        refund(receipt(turn), 3);
        assertThat(states(spend(alice, spec, 1)).get(0).waitNanos()).isEqualTo(6 * NANOS);
    }

    @Test
    void aTurnThatOthersComeAfterIsNotGivenTwice() {
        BucketSpec spec = spec("everyone", TEN_PER_MINUTE);
        spend(alice, spec, 10);
        SpendOutcome turn = spend(waiting(spec, 1, 60));
        assertThat(states(spend(waiting(spec, 1, 60))).get(0).waitNanos()).isEqualTo(12 * NANOS);
        refund(receipt(turn), 1);
        assertThat(states(spend(waiting(spec, 1, 60))).get(0).waitNanos()).isEqualTo(18 * NANOS);
    }

    @Test
    void turnsThatAreGivenUpFromTheLastOnAreAllFreeThoughNobodyAwaitsTheAnswers() {
        BucketSpec spec = spec("everyone", TEN_PER_MINUTE);
        spend(alice, spec, 10);
        List<Receipt> turns = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            turns.add(receipt(spend(waiting(spec, 1, 600))));
        }
        List<CompletableFuture<Void>> answers = Lists.reverse(turns).stream()
                .map(turn -> store().undo(turn, 1).toCompletableFuture())
                .toList();
        answers.forEach(CompletableFuture::join);
        assertThat(states(spend(waiting(spec, 1, 60))).get(0).waitNanos()).isEqualTo(6 * NANOS);
    }

    @Test
    void nobodyKeepsADistanceFromARequestThatNeverWas() {
        Limit spaced = TEN_PER_MINUTE.with(LimitOptions.NONE.withMinInterval(SECOND));
        BucketSpec spec = spec("everyone", spaced);
        spend(alice, spec, 1);
        SpendOutcome turn = spend(waiting(spec, 1, 60));
        assertThat(states(spend(alice, spec, 1)).get(0).waitNanos()).isEqualTo(2 * NANOS);
        store().undo(receipt(turn), 1).toCompletableFuture().join();
        assertThat(states(spend(alice, spec, 1)).get(0).waitNanos()).isEqualTo(NANOS);
        assertThat(remaining(look(alice, spec))).isEqualTo(9);
    }

    @Test
    void whatCostsNothingAndIsUndoneLeavesTheDistanceOfOthers() {
        Limit spaced = TEN_PER_MINUTE.with(LimitOptions.NONE.withMinInterval(SECOND));
        BucketSpec spec = spec("everyone", spaced);
        spend(alice, spec, 1);
        SpendOutcome nothing = look(alice, spec);
        store().undo(receipt(nothing), 0).toCompletableFuture().join();
        assertThat(spend(alice, spec, 1).allowed()).isFalse();
    }

    @Test
    void aRequestWhoseTokensWereAllRefundedGivesItsDistanceBackToo() {
        Limit spaced = TEN_PER_MINUTE.with(LimitOptions.NONE.withMinInterval(SECOND));
        BucketSpec spec = spec("everyone", spaced);
        spend(alice, spec, 1);
        clock.advance(SECOND);
        Receipt receipt = receipt(spend(alice, spec, 2));
        refund(receipt, 2);
        assertThat(spend(alice, spec, 1).allowed()).isFalse();
        store().undo(receipt, 0).toCompletableFuture().join();
        assertThat(spend(alice, spec, 1).allowed()).isTrue();
    }

    @Test
    void noWaitMakesRoomForMoreThanTheCapacity() {
        BucketSpec spec = spec("everyone", TEN_PER_MINUTE);
        SpendOutcome outcome = spend(waiting(spec, 11, 3600));
        assertThat(outcome.allowed()).isFalse();
        assertThat(states(outcome).get(0).waitNanos()).isEqualTo(LimitState.NEVER);
        assertThat(remaining(look(alice, spec))).isEqualTo(10);
    }

    @Test
    void aShadowChargeNeverRefusesAndIsSpentWhileItIsAdmitted() {
        BucketSpec real = spec("real", Limit.of(100, MINUTE));
        BucketSpec shadow = spec("shadow", Limit.of(2, MINUTE));
        List<Charge> both = List.of(new Charge(alice, real, 1), shadow(shadow, 1));
        for (int i = 0; i < 4; i++) {
            SpendOutcome outcome = spend(both);
            assertThat(outcome.allowed()).isTrue();
            assertThat(outcome.charges().get(1).admits()).isEqualTo(i < 2);
            assertThat(outcome.charges().get(1).receipt() != null).isEqualTo(i < 2);
        }
        assertThat(remaining(look(alice, real))).isEqualTo(96);
        assertThat(remaining(look(alice, shadow))).isZero();
    }

    @Test
    void aShadowIsNotChargedForARequestThatIsRefused() {
        BucketSpec real = spec("real", Limit.of(1, MINUTE));
        BucketSpec shadow = spec("shadow", Limit.of(5, MINUTE));
        List<Charge> both = List.of(shadow(shadow, 1), new Charge(alice, real, 1));
        assertThat(spend(both).allowed()).isTrue();
        assertThat(spend(both).allowed()).isFalse();
        assertThat(remaining(look(alice, shadow))).isEqualTo(4);
    }

    @Test
    void aShadowOfAnotherClientThatIsExceededHidesNoRefusal() {
        BucketSpec real = spec("real", Limit.of(1, MINUTE));
        BucketSpec shadow = spec("shadow", Limit.of(1, MINUTE));
        BucketSpec open = spec("open", Limit.of(9, MINUTE));
        List<Charge> request = List.of(
                new Charge(alice, real, 1),
                new Charge(bob, shadow, 1).as(Charge.Kind.SHADOW),
                new Charge(bob, open, 1));
        assertThat(spend(request).allowed()).isTrue();
        SpendOutcome refused = spend(request);
        assertThat(refused.allowed()).isFalse();
        assertThat(refused.degraded()).isFalse();
        assertThat(states(refused)).extracting(LimitState::remaining).containsExactly(0L, 0L, 8L);
    }

    @Test
    void aLateChargeTakesThePartThatCanStillBeOwed() {
        BucketSpec spec = spec("everyone", TEN_PER_MINUTE);
        spend(alice, spec, 10);
        spend(late(spec, 5));
        spend(late(spec, 10));
        assertThat(states(spend(alice, spec, 10)).get(0).waitNanos()).isEqualTo(120 * NANOS);
    }

    @Test
    void aLateChargeIsOwedAndPaidBackByWaiting() {
        BucketSpec spec = spec("everyone", TEN_PER_MINUTE);
        spend(alice, spec, 8);
        assertThat(spend(late(spec, 5)).allowed()).isTrue();
        assertThat(states(spend(alice, spec, 1)).get(0).waitNanos()).isEqualTo(4 * 6 * NANOS);
    }

    @Test
    void whatIsOwedLateIsAtMostWhatRefillsInTheTimeThatFillsTheBucket() {
        BucketSpec spec = spec("everyone", TEN_PER_MINUTE);
        for (int i = 0; i < 10; i++) {
            assertThat(spend(late(spec, 10)).allowed()).isTrue();
        }
        assertThat(states(spend(alice, spec, 10)).get(0).waitNanos()).isEqualTo(120 * NANOS);
    }

    @Test
    void aLateChargeThatMayTakeLongerOwesWhatRefillsInThatTime() {
        BucketSpec spec = spec("everyone", TEN_PER_MINUTE);
        Charge late = new Charge(alice, spec, 18, Charge.Kind.LATE, 150 * NANOS);
        for (int i = 0; i < 3; i++) {
            assertThat(spend(List.of(late)).allowed()).isTrue();
        }
        assertThat(states(spend(alice, spec, 10))).containsExactly(new LimitState(0, 210 * NANOS, 156 * NANOS));
    }

    private List<Charge> waiting(BucketSpec spec, long cost, long seconds) {
        return List.of(new Charge(alice, spec, cost, Charge.Kind.BINDING, seconds * NANOS));
    }

    private Charge shadow(BucketSpec spec, long cost) {
        return new Charge(alice, spec, cost).as(Charge.Kind.SHADOW);
    }

    private List<Charge> late(BucketSpec spec, long cost) {
        return List.of(new Charge(alice, spec, cost).as(Charge.Kind.LATE));
    }
}
