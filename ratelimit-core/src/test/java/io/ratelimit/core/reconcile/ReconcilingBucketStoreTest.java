package io.ratelimit.core.reconcile;

import static io.ratelimit.core.reconcile.ReconcilingHosts.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.core.reconcile.ReconcilingHosts.Host;
import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.Charge;
import io.ratelimit.store.Receipt;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReconcilingBucketStoreTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final BucketSpec FOUR_PER_SECOND = spec(Limit.of(4, SECOND));
    private static final BucketSpec HUNDRED_PER_HOUR = spec(Limit.of(100, Duration.ofHours(1)));

    private final ReconcilingHosts hosts = new ReconcilingHosts(3);
    private final Host first = hosts.host(0);
    private final Host second = hosts.host(1);
    private final Host third = hosts.host(2);
    private final DistantStore shared = hosts.shared();

    @Test
    void theExcessOfABurstAtAllHostsIsPaidBackByWaiting() {
        for (Host host : hosts.all()) {
            for (int i = 0; i < 4; i++) {
                assertThat(host.admits(FOUR_PER_SECOND)).isTrue();
            }
        }
        hosts.tell();
        // The last host has told it, so that all have heard of it once they spend again.
        int passed = 0;
        for (int i = 0; i < 200; i++) {
            for (Host host : hosts.all()) {
                passed += host.admits(FOUR_PER_SECOND) ? 1 : 0;
            }
            shared.advance(Duration.ofMillis(10));
            hosts.tell();
        }
        assertThat(passed).isLessThanOrEqualTo(2);
        assertThat(third.waitNanos(FOUR_PER_SECOND)).isPositive();
        shared.advance(SECOND);
        assertThat(third.admits(FOUR_PER_SECOND)).isTrue();
    }

    @Test
    void whatOtherHostsHaveSpentIsMissingOnAHostAsSoonAsItsClientComes() {
        first.spend(HUNDRED_PER_HOUR, 30);
        second.spend(HUNDRED_PER_HOUR, 20);
        hosts.tell();
        assertThat(third.remaining(HUNDRED_PER_HOUR)).isEqualTo(100);
        third.spend(HUNDRED_PER_HOUR, 1);
        hosts.tell();
        assertThat(third.remaining(HUNDRED_PER_HOUR)).isEqualTo(49);
    }

    @Test
    void whatIsSpentWhileTheStoreIsToldIsMissingTooWhenItAnswers() {
        shared.isFar(Duration.ofMillis(20));
        first.spend(HUNDRED_PER_HOUR, 30);
        second.spend(HUNDRED_PER_HOUR, 30);
        first.store().flush();
        second.store().flush();
        first.spend(HUNDRED_PER_HOUR, 10);
        second.spend(HUNDRED_PER_HOUR, 10);
        shared.advance(Duration.ofMillis(100));
        assertThat(Math.min(first.remaining(HUNDRED_PER_HOUR), second.remaining(HUNDRED_PER_HOUR)))
                .isEqualTo(30);
    }

    @Test
    void aClientThatMovesToAnIdleHostGetsNoMoreThanABurstThereAndPaysItBack() {
        for (int i = 0; i < 100; i++) {
            first.admits(FOUR_PER_SECOND);
            hosts.tell();
            shared.advance(Duration.ofMillis(50));
        }
        first.admits(FOUR_PER_SECOND);
        assertThat(first.admits(FOUR_PER_SECOND)).isFalse();
        hosts.tell();
        for (int i = 0; i < 4; i++) {
            assertThat(second.admits(FOUR_PER_SECOND)).isTrue();
        }
        hosts.tell();
        assertThat(second.waitNanos(FOUR_PER_SECOND)).isBetween(1_000_000_000L, 1_250_000_000L);
    }

    @Test
    void underSeveralLimitsEachOwesWhatAllHostsHaveLetPass() {
        BucketSpec both = spec(Limit.of(20, SECOND), Limit.of(40, Duration.ofHours(1)));
        for (Host host : hosts.all()) {
            assertThat(host.spend(both, 20).allowed()).isTrue();
        }
        hosts.tell();
        shared.advance(Duration.ofMinutes(29));
        assertThat(third.admits(both)).isFalse();
        shared.advance(Duration.ofMinutes(3));
        assertThat(third.admits(both)).isTrue();
    }

    @Test
    void nobodyIsLockedOutForLongerThanTheOtherHostsBurstsTake() {
        for (Host host : hosts.all()) {
            host.spend(new Charge(ClientIdentifier.of("user", "alice"), FOUR_PER_SECOND, 400, Charge.Kind.LATE, 0));
        }
        hosts.tell();
        for (Host host : hosts.all()) {
            host.admits(FOUR_PER_SECOND);
            // The others' bursts, a second's refill of theirs, and a token.
            assertThat(host.waitNanos(FOUR_PER_SECOND)).isLessThanOrEqualTo(4_250_000_000L);
        }
    }

    @Test
    void whatIsGivenBackBeforeItIsToldWasNeverSpent() {
        Receipt receipt = first.receipt(HUNDRED_PER_HOUR, 30);
        first.store().undo(receipt, 30);
        assertThat(first.remaining(HUNDRED_PER_HOUR)).isEqualTo(100);
        first.spend(HUNDRED_PER_HOUR, 10);
        hosts.tell();
        second.spend(HUNDRED_PER_HOUR, 1);
        hosts.tell();
        assertThat(second.remaining(HUNDRED_PER_HOUR)).isEqualTo(89);
    }

    @Test
    void whatIsGivenBackLaterIsGivenBackToTheStore() {
        Receipt receipt = first.receipt(HUNDRED_PER_HOUR, 30);
        hosts.tell();
        first.store().refund(receipt, 20);
        first.store().refund(receipt, 5);
        hosts.tell();
        second.spend(HUNDRED_PER_HOUR, 1);
        hosts.tell();
        assertThat(second.remaining(HUNDRED_PER_HOUR)).isEqualTo(94);
        assertThat(first.remaining(HUNDRED_PER_HOUR)).isEqualTo(95);
    }

    @Test
    void whatIsGivenBackWhileItIsToldIsGivenBackWhenTheStoreHasAnswered() {
        shared.isFar(Duration.ofMillis(20));
        Receipt receipt = first.receipt(HUNDRED_PER_HOUR, 30);
        first.store().flush();
        first.store().undo(receipt, 30);
        shared.advance(Duration.ofMillis(100));
        first.store().flush();
        shared.advance(Duration.ofMillis(100));
        second.spend(HUNDRED_PER_HOUR, 1);
        second.store().flush();
        shared.advance(Duration.ofMillis(100));
        assertThat(second.remaining(HUNDRED_PER_HOUR)).isEqualTo(99);
    }

    @Test
    void requestsWhoseTokensComeBackOnceTheyAreAnsweredUseNothingUp() {
        Duration answered = Duration.ofMillis(130);
        for (int i = 0; i < 1_000; i++) {
            Receipt receipt = first.receipt(HUNDRED_PER_HOUR, 1);
            shared.at(
                    hosts.clock().nanoTime() + answered.toNanos(),
                    () -> first.store().refund(receipt, 1));
            hosts.tell();
            shared.advance(Duration.ofMillis(20));
        }
        shared.advance(SECOND);
        hosts.tell();
        second.spend(HUNDRED_PER_HOUR, 1);
        hosts.tell();
        assertThat(second.remaining(HUNDRED_PER_HOUR)).isEqualTo(99);
        assertThat(first.remaining(HUNDRED_PER_HOUR)).isGreaterThanOrEqualTo(99);
    }

    @Test
    void chargesThatComeBackSoonerOrLaterLeaveASmallLimitAsItWas() {
        BucketSpec five = spec(new Limit(5, Duration.ofMinutes(15), 5, Algorithm.TOKEN_BUCKET));
        Random random = new Random(7);
        shared.isFar(Duration.ofMillis(2));
        for (int round = 0; round < 500; round++) {
            for (int i = 0; i < 3; i++) {
                Receipt receipt = first.receipt(five, 1);
                shared.at(
                        hosts.clock().nanoTime() + 1_000_000L * (1 + random.nextInt(60)),
                        () -> first.store().refund(receipt, 1));
            }
            for (int i = 0; i < 12; i++) {
                hosts.tell();
                shared.advance(Duration.ofMillis(10));
            }
            assertThat(first.remaining(five)).as("in round " + round).isEqualTo(5);
        }
    }

    @Test
    void moreClientsThanThereMayBeCallsAtATimeAreAllTold() {
        shared.isFar(Duration.ofMillis(1));
        for (int second = 0; second < 5; second++) {
            int before = shared.calls();
            for (int client = 0; client < 10_000; client++) {
                first.spend(new Charge(ClientIdentifier.of("user", "client-" + client), HUNDRED_PER_HOUR, 1));
            }
            first.store().flush();
            shared.advance(SECOND);
            assertThat(shared.calls() - before).isEqualTo(10_000);
        }
    }

    @Test
    void whileTheNumberOfHostsIsUnknownItIsTheOneKnownLast() {
        for (Host host : hosts.all()) {
            host.spend(FOUR_PER_SECOND, 1);
        }
        hosts.tell();
        shared.advance(SECOND);
        shared.isSharedBy(0);
        for (Host host : hosts.all()) {
            host.spend(FOUR_PER_SECOND, 4);
        }
        hosts.tell();
        first.admits(FOUR_PER_SECOND);
        hosts.tell();
        // Two bursts that others had let pass, and a token.
        assertThat(third.waitNanos(FOUR_PER_SECOND)).isBetween(2_000_000_000L, 2_300_000_000L);
    }

    @Test
    void aStoreThatFailsIsToldNothingTwice() {
        shared.isAway(true);
        first.spend(HUNDRED_PER_HOUR, 30);
        hosts.tell();
        shared.isAway(false);
        assertThat(hosts.failures()).containsExactly("store-error");
        assertThat(first.log().trouble())
                .hasValueSatisfying(
                        said -> assertThat(said).isEqualTo("The store fails since 0 s, all go alone: nobody there"));
        first.spend(HUNDRED_PER_HOUR, 1);
        hosts.tell();
        assertThat(first.remaining(HUNDRED_PER_HOUR)).isEqualTo(69);
        second.spend(HUNDRED_PER_HOUR, 1);
        hosts.tell();
        assertThat(second.remaining(HUNDRED_PER_HOUR)).isEqualTo(98);
        shared.advance(Duration.ofSeconds(6));
        first.spend(HUNDRED_PER_HOUR, 1);
        hosts.tell();
        assertThat(first.log().trouble()).isEmpty();
    }

    @Test
    void aStoreThatStoodStillChargesNobodyForWhatItWasToldMeanwhile() {
        shared.standsStill(true);
        for (int i = 0; i < 60; i++) {
            first.spend(FOUR_PER_SECOND, 4);
            hosts.tell();
            shared.advance(SECOND);
        }
        hosts.tell();
        int asked = shared.calls();
        shared.standsStill(false);
        assertThat(shared.calls()).as("given back").isGreaterThan(asked);
        second.spend(FOUR_PER_SECOND, 1);
        hosts.tell();
        assertThat(second.remaining(FOUR_PER_SECOND)).isEqualTo(3);
        assertThat(hosts.failures()).containsOnly("store-timeout");
    }

    @Test
    void aSlowStoreIsToldSeldomAndNotMuchAtOnce() {
        shared.isFar(Duration.ofMillis(400));
        hosts.telling();
        for (int i = 0; i < 1_000; i++) {
            first.spend(HUNDRED_PER_HOUR, 0);
            first.admits(spec(Limit.of(1_000, SECOND)));
            shared.advance(Duration.ofMillis(10));
        }
        assertThat(shared.calls()).isLessThan(50);
        assertThat(hosts.failures()).isEmpty();
    }

    @Test
    void afterAnOutageNobodyIsLockedOutAndNobodyHasAnAmnesty() {
        hosts.telling();
        Duration pause = Duration.ofMillis(20);
        for (int i = 0; i < 30_000; i++) {
            shared.isAway(i >= 500);
            hosts.all().forEach(host -> host.admits(FOUR_PER_SECOND));
            shared.advance(pause);
        }
        shared.isAway(false);
        int passed = 0;
        long longestWait = 0;
        for (int i = 0; i < 500; i++) {
            for (Host host : hosts.all()) {
                passed += host.admits(FOUR_PER_SECOND) ? 1 : 0;
                longestWait = Math.max(longestWait, host.waitNanos(FOUR_PER_SECOND));
            }
            shared.advance(pause);
        }
        // Ten seconds of the rate, and for each host what it does not know of the others yet.
        assertThat(passed).isBetween(36, 40 + 3 * 3);
        assertThat(longestWait).isLessThanOrEqualTo(2_500_000_000L);
    }

    @Test
    void aClientBelowTheLimitIsNotRefusedDuringAnOutageNorAfterIt() {
        hosts.telling();
        for (int i = 0; i < 4_000; i++) {
            shared.isAway(i >= 200 && i < 2_800);
            assertThat(hosts.host(i % 3).admits(FOUR_PER_SECOND)).as("at %d", i).isTrue();
            shared.advance(Duration.ofMillis(270));
        }
    }

    @Test
    void shadowsAndLateChargesAreToldAndLooksAreNot() {
        ClientIdentifier alice = ClientIdentifier.of("user", "alice");
        first.spend(new Charge(alice, HUNDRED_PER_HOUR, 10).as(Charge.Kind.SHADOW));
        first.spend(new Charge(alice, HUNDRED_PER_HOUR, 10).as(Charge.Kind.LATE));
        first.spend(new Charge(alice, HUNDRED_PER_HOUR, 10).as(Charge.Kind.LOOK));
        first.spend(new Charge(alice, HUNDRED_PER_HOUR, 1_000));
        hosts.tell();
        second.spend(HUNDRED_PER_HOUR, 1);
        hosts.tell();
        assertThat(second.remaining(HUNDRED_PER_HOUR)).isEqualTo(79);
    }

    @Test
    void whatRefillsInWindowsIsNotReconciled() {
        assertThat(first.store().reconciles(FOUR_PER_SECOND)).isTrue();
        assertThat(first.store().reconciles(spec(new Limit(10, SECOND, 10, Algorithm.FIXED_WINDOW))))
                .isFalse();
        assertThat(first.store()
                        .reconciles(spec(Limit.of(4, SECOND), new Limit(10, SECOND, 10, Algorithm.SLIDING_WINDOW_LOG))))
                .isFalse();
    }

    @Test
    void theStoreIsToldTheLastOfItAtTheEnd() {
        first.spend(HUNDRED_PER_HOUR, 30);
        first.store().close();
        first.spend(HUNDRED_PER_HOUR, 30);
        first.store().flush();
        second.spend(HUNDRED_PER_HOUR, 1);
        hosts.tell();
        assertThat(second.remaining(HUNDRED_PER_HOUR)).isEqualTo(69);
    }

    @Test
    void aStoreThatDoesNotAnswerHoldsUpTheEndForASecondAtMost() {
        shared.standsStill(true);
        first.spend(HUNDRED_PER_HOUR, 30);
        long begun = System.nanoTime();
        first.store().close();
        assertThat(System.nanoTime() - begun).isLessThan(3_000_000_000L);
    }

    @Test
    void whatIsSpentBySoManyClientsThatTheyFloodTheMemoryIsNotTold() {
        UntoldLedger ledger = new UntoldLedger(2);
        for (String name : new String[] {"alice", "bob"}) {
            assertThat(ledger.spent(ClientIdentifier.of("user", name), FOUR_PER_SECOND, 1, 0))
                    .isNotNull();
        }
        assertThat(ledger.spent(ClientIdentifier.of("user", "carol"), FOUR_PER_SECOND, 1, 0))
                .isNull();
        assertThat(ledger.spent(ClientIdentifier.of("user", "bob"), FOUR_PER_SECOND, 1, 0))
                .isNotNull();
    }

    @Test
    void whatCouldNotBeToldForSecondsIsNotTold() {
        first.spend(FOUR_PER_SECOND, 4);
        shared.advance(Duration.ofSeconds(2));
        hosts.tell();
        second.spend(FOUR_PER_SECOND, 1);
        hosts.tell();
        assertThat(second.remaining(FOUR_PER_SECOND)).isEqualTo(3);
        first.spend(FOUR_PER_SECOND, 1);
        hosts.tell();
        assertThat(first.remaining(FOUR_PER_SECOND)).isEqualTo(2);
    }

    @Test
    void clientsThatDoNotComeAnyMoreAreForgotten() {
        UntoldLedger ledger = new UntoldLedger(10);
        ClientIdentifier alice = ClientIdentifier.of("user", "alice");
        Telling told = ledger.spent(alice, FOUR_PER_SECOND, 1, 0);
        ledger.sweep(60_000_000_000L);
        assertThat(ledger.spent(alice, FOUR_PER_SECOND, 1, 60_000_000_000L)).isSameAs(told);
        ToldBucket bucket = ledger.next();
        assertThat(bucket.next()).isSameAs(told);
        ledger.ended(bucket);
        ledger.sweep(80_000_000_000L);
        ledger.spent(alice, FOUR_PER_SECOND, 1, 80_000_000_000L);
        assertThat(ledger.next()).isNotSameAs(bucket);
    }
}
