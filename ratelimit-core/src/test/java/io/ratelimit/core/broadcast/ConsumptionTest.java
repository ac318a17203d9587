package io.ratelimit.core.broadcast;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Of whom the others are told, and what. */
class ConsumptionTest {

    private static final UUID ALICE = new UUID(1, 2);

    /** Each of ten hosts may be silent about 100 tokens, and 100 more each second. */
    private static final BucketSpec LARGE = spec(128_000, Duration.ofSeconds(1));

    /** Each of ten hosts may be silent about 100 tokens, and one more each second. */
    private static final BucketSpec SLOW = spec(128_000, Duration.ofSeconds(100));

    private static final BucketSpec FOUR_PER_SECOND = spec(4, Duration.ofSeconds(1));

    private final ManualTimeSource clock = new ManualTimeSource(-9_000_000_000L);
    private int hosts = 10;
    private final ConsumptionLedger ledger = new ConsumptionLedger(() -> hosts, 1_000);

    private static BucketSpec spec(long tokens, Duration period) {
        return new BucketSpec("orders", "everyone", 1, List.of(Limit.of(tokens, period)), StorePolicy.UNSET);
    }

    private void spend(BucketSpec bucket, long tokens) {
        ledger.spent(bucket, ALICE, tokens, clock.nanoTime());
    }

    private List<Consumption.Told> told() {
        List<Consumption.Told> told = new ArrayList<>();
        for (Consumption consumption : ledger.toTell()) {
            told.add(consumption.tell(clock.nanoTime()));
        }
        return told;
    }

    private long spentAsTold() {
        List<Consumption.Told> told = told();
        assertThat(told).hasSize(1);
        return told.get(0).tally().spent();
    }

    @Test
    void aHostIsSilentUntilItsShareIsExceededAndThenTellsAllOfIt() {
        for (int i = 0; i < 100; i++) {
            spend(LARGE, 1);
            assertThat(told()).isEmpty();
        }
        spend(LARGE, 1);
        assertThat(spentAsTold()).isEqualTo(101);
        spend(LARGE, 100);
        assertThat(told()).isEmpty();
        spend(LARGE, 1);
        assertThat(spentAsTold()).isEqualTo(202);
    }

    @Test
    void whereTheShareIsLessThanATokenAllIsToldAtOnce() {
        for (int i = 1; i <= 4; i++) {
            spend(FOUR_PER_SECOND, 1);
            assertThat(spentAsTold()).isEqualTo(i);
        }
    }

    @Test
    void whoKeepsBelowTheShareIsNeverToldOfHoweverLongHeComes() {
        for (int i = 0; i < 20_000; i++) {
            spend(LARGE, 9);
            assertThat(told()).isEmpty();
            clock.advance(Duration.ofMillis(100));
            if (i % 50 == 0) {
                ledger.sweep(clock.nanoTime());
            }
        }
    }

    @Test
    void whoComesEvenlyAtTheLimitIsToldOfToTheLastToken() {
        // A tenth of 128,000 each second, at this host; the others' shares leak as much.
        long spent = 0;
        for (int i = 0; i < 10_000; i++) {
            spend(LARGE, 128);
            spent += 128;
            clock.advance(Duration.ofMillis(10));
        }
        assertThat(spentAsTold()).isEqualTo(spent);
    }

    @Test
    void ofWhatWasSpentSlowlyAShareIsToldAtMost() {
        long spent = 0;
        while (told().isEmpty()) {
            spend(SLOW, 11);
            spent += 11;
            clock.advance(Duration.ofSeconds(10));
        }
        assertThat(spent).isGreaterThan(900);
        spend(SLOW, 101);
        assertThat(spentAsTold()).isBetween(301L, 302L);
    }

    @Test
    void whatHasLeakedOutIsForgotten() {
        spend(LARGE, 100);
        clock.advance(Duration.ofMillis(1_001));
        spend(LARGE, 101);
        assertThat(spentAsTold()).isEqualTo(101);
    }

    @Test
    void whoComesAgainAfterAnHourAndSpendsMuchIsToldOfAsIfItWereFresh() {
        spend(LARGE, 50);
        clock.advance(Duration.ofHours(1));
        spend(LARGE, 500);
        Consumption.Told told = told().get(0);
        assertThat(told.tally().spent()).isEqualTo(500);
        assertThat(told.ageNanos()).isZero();
        assertThat(told.epochNanos()).isZero();
    }

    @Test
    void whatIsSpentInOneGoAfterASilenceIsNotAsOldAsTheSilence() {
        spend(SLOW, 90);
        clock.advance(Duration.ofSeconds(19));
        spend(SLOW, 100_000);
        clock.advance(Duration.ofMillis(50));
        Consumption.Told told = told().get(0);
        assertThat(told.tally().spent()).isEqualTo(100_090);
        assertThat(told.ageNanos()).isEqualTo(50_000_000L);
    }

    @Test
    void ofWhomNothingWasToldForLongAnotherEpochBeginsSinceTheOthersMayHaveForgotten() {
        spend(SLOW, 150);
        Consumption.Told first = told().get(0);
        clock.advance(Duration.ofSeconds(1));
        for (int i = 0; i < 25; i++) {
            spend(SLOW, 4);
            clock.advance(Duration.ofSeconds(1));
            ledger.sweep(clock.nanoTime());
            assertThat(told()).isEmpty();
        }
        spend(SLOW, 200);
        Consumption.Told second = told().get(0);
        assertThat(second.epoch()).isGreaterThan(first.epoch());
        assertThat(second.epochNanos()).isZero();
        assertThat(second.tally().spent()).isEqualTo(300);
    }

    @Test
    void whatAnIdleClientLeavesUntoldIsToldBeforeHeIsForgotten() {
        spend(SLOW, 90);
        clock.advance(Duration.ofSeconds(19));
        ledger.sweep(clock.nanoTime());
        assertThat(told()).isEmpty();
        clock.advance(Duration.ofSeconds(1));
        ledger.sweep(clock.nanoTime());
        Consumption.Told told = told().get(0);
        assertThat(told.tally().spent()).isEqualTo(90);
        assertThat(told.ageNanos()).isEqualTo(20_000_000_000L);
        clock.advance(Duration.ofSeconds(1));
        ledger.sweep(clock.nanoTime());
        assertThat(told()).isEmpty();
        spend(SLOW, 101);
        assertThat(spentAsTold()).isEqualTo(101);
    }

    @Test
    void ofAnIdleClientOfWhomNothingIsLeftNothingIsTold() {
        spend(LARGE, 90);
        clock.advance(Duration.ofSeconds(20));
        ledger.sweep(clock.nanoTime());
        assertThat(told()).isEmpty();
    }

    @Test
    void aRepeatedMessageSaysNoMoreThanTheFirst() {
        spend(LARGE, 150);
        Consumption consumption = ledger.toTell().get(0);
        assertThat(consumption.tell(clock.nanoTime()).tally().spent()).isEqualTo(150);
        spend(LARGE, 30);
        assertThat(consumption.tell(clock.nanoTime()).tally().spent()).isEqualTo(150);
    }

    @Test
    void whatComesBackWhileTheHostIsSilentWasNeverSpent() {
        spend(SLOW, 90);
        ledger.givenBack(SLOW, ALICE, 80, clock.nanoTime());
        spend(SLOW, 90);
        assertThat(told()).isEmpty();
        spend(SLOW, 1);
        assertThat(spentAsTold()).isEqualTo(101);
    }

    @Test
    void ofWhatComesBackWhatHasLeakedOutCountsNoMore() {
        spend(SLOW, 90);
        clock.advance(Duration.ofSeconds(50));
        spend(SLOW, 0);
        ledger.givenBack(SLOW, ALICE, 60, clock.nanoTime());
        spend(SLOW, 100);
        assertThat(told()).isEmpty();
        spend(SLOW, 1);
        assertThat(spentAsTold()).isEqualTo(101);
    }

    @Test
    void whatHasLeakedOutByTheTimeThatTokensComeBackCountsNoMore() {
        spend(SLOW, 90);
        clock.advance(Duration.ofSeconds(50));
        ledger.givenBack(SLOW, ALICE, 60, clock.nanoTime());
        spend(SLOW, 100);
        assertThat(told()).isEmpty();
        spend(SLOW, 1);
        assertThat(spentAsTold()).isEqualTo(101);
    }

    @Test
    void whatIsToBeToldDoesNotLeakUntilItIs() {
        spend(LARGE, 101);
        clock.advance(Duration.ofSeconds(2));
        spend(LARGE, 1);
        assertThat(spentAsTold()).isEqualTo(102);
    }

    @Test
    void whatComesBackAfterItWasToldIsToldTooOnceItIsMoreThanTheShare() {
        spend(SLOW, 500);
        assertThat(spentAsTold()).isEqualTo(500);
        ledger.givenBack(SLOW, ALICE, 100, clock.nanoTime());
        assertThat(told()).isEmpty();
        ledger.givenBack(SLOW, ALICE, 1, clock.nanoTime());
        assertThat(told()).singleElement().extracting(Consumption.Told::tally).isEqualTo(new Tally(500, 101));
        spend(SLOW, 101);
        assertThat(told()).singleElement().extracting(Consumption.Told::tally).isEqualTo(new Tally(601, 101));
    }

    @Test
    void whatComesBackWithinTheShareIsSetAgainstWhatIsSpentNextOrToldOfAnIdleClient() {
        spend(SLOW, 500);
        assertThat(spentAsTold()).isEqualTo(500);
        ledger.givenBack(SLOW, ALICE, 90, clock.nanoTime());
        spend(SLOW, 60);
        assertThat(told()).isEmpty();
        clock.advance(Duration.ofNanos(ConsumptionLedger.IDLE_NANOS));
        ledger.sweep(clock.nanoTime());
        assertThat(told()).singleElement().extracting(Consumption.Told::tally).isEqualTo(new Tally(0, 30));
    }

    @Test
    void moreHostsHaveASmallerShareEachFromTheNextPeriodOn() {
        spend(LARGE, 20);
        hosts = 100;
        assertThat(told()).isEmpty();
        spend(LARGE, 1);
        assertThat(spentAsTold()).isEqualTo(21);
    }

    @Test
    void aHostThatKnowsOfNoOtherTellsAll() {
        hosts = 1;
        told();
        spend(LARGE, 1);
        assertThat(spentAsTold()).isEqualTo(1);
    }

    @Test
    void aLimitThatWasLoweredHasTheShareOfTheNewOne() {
        spend(LARGE, 50);
        spend(FOUR_PER_SECOND, 1);
        List<Consumption> telling = ledger.toTell();
        assertThat(telling).singleElement().extracting(Consumption::bucket).isSameAs(FOUR_PER_SECOND);
        assertThat(telling.get(0).tell(clock.nanoTime()).tally().spent()).isEqualTo(51);
    }
}
