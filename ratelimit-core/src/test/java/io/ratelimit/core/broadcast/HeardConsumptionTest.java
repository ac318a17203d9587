package io.ratelimit.core.broadcast;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.broadcast.HeardConsumption.News;
import io.ratelimit.core.bucket.SpentElsewhere;
import io.ratelimit.core.wire.SpecForm;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class HeardConsumptionTest {

    private static final long SECOND = 1_000_000_000L;
    private static final UUID ALICE = new UUID(1, 2);
    private static final BucketSpec FOUR_PER_SECOND =
            new BucketSpec("", "everyone", 1, List.of(Limit.of(4, Duration.ofSeconds(1))), StorePolicy.UNSET);

    /** The host has stood still for five seconds, until the tenth. */
    private static final long WAKING = 10 * SECOND;

    private final HeardConsumption heard = new HeardConsumption(0, 100);

    @Test
    void whatASumGrowsByHasBeenSpent() {
        assertThat(owed(3, onTime(SECOND))).isEqualTo(3);
        assertThat(owed(3, onTime(SECOND))).isZero();
        assertThat(owed(5, onTime(2 * SECOND))).isEqualTo(2);
        assertThat(owed(4, onTime(3 * SECOND))).isZero();
    }

    @Test
    void ofWhomeverThereIsNoRoomForNothingIsHeard() {
        HeardConsumption full = new HeardConsumption(0, 1);
        assertThat(spent(full, 1, 10)).isEqualTo(10);
        assertThat(spent(full, 2, 10)).isZero();
        assertThat(spent(full, 2, 11)).isZero();
        assertThat(spent(full, 1, 11)).isEqualTo(1);
    }

    private static long spent(HeardConsumption heard, long origin, long sum) {
        ConsumptionNews.Item item = new ConsumptionNews.Item(
                SpecForm.of(FOUR_PER_SECOND), new UUID(0, 1), 1, 0, Tally.ofSpent(sum), 0, ItemMaker.NO_STATES);
        return heard.hear(origin, FOUR_PER_SECOND, item, onTime(SECOND)).spent().tokens();
    }

    @Test
    void whatWasUnderWayIsAsOldAsTheWayWasLong() {
        assertThat(hear(1, 0, 3, slow(5 * SECOND, SECOND / 4)).spent())
                .isEqualTo(new SpentElsewhere(3, 7 + SECOND / 4, 0));
    }

    @Test
    void whatWasUnderWayDuringAStandstillIsForgivenAsOftenAsItCanHaveRefilled() {
        owed(1, onTime(5 * SECOND));
        assertThat(owed(11, late(4 * SECOND))).isZero();
        assertThat(owed(21, late(3 * SECOND))).isZero();
        assertThat(owed(31, late(2 * SECOND))).isEqualTo(10);
        assertThat(owed(41, late(SECOND))).isEqualTo(10);
    }

    @Test
    void whatCannotHaveRefilledByTheEndOfAStandstillHasNotRefilledOnItsWayEither() {
        owed(1, onTime(5 * SECOND));
        owed(21, late(SECOND));
        assertThat(hear(1, 0, 23, late(SECOND / 2)).spent()).isEqualTo(new SpentElsewhere(2, 7, 0));
    }

    @Test
    void whatIsToldTwiceSettlesNothingDuringAStandstillAndAllAfterIt() {
        owed(1, onTime(5 * SECOND));
        owed(3, late(4 * SECOND));
        owed(3, late(3 * SECOND));
        assertThat(owed(21, late(2 * SECOND))).isZero();
        owed(21, after(SECOND / 2));
        assertThat(owed(25, after(SECOND))).isEqualTo(4);
    }

    @Test
    void theFirstThatIsToldAfterAStandstillSettlesIt() {
        owed(1, onTime(5 * SECOND));
        assertThat(owed(3, late(4 * SECOND))).isZero();
        assertThat(owed(28, after(SECOND))).isEqualTo(3);
        assertThat(owed(31, after(SECOND))).isEqualTo(3);
    }

    @Test
    void aMessageThatEndsAPartitionSettlesIt() {
        owed(1, onTime(5 * SECOND));
        assertThat(owed(2, new Delivery(WAKING, SECOND / 1000, true, WAKING - SECOND / 1000)))
                .isZero();
        assertThat(owed(6, after(SECOND / 20))).isEqualTo(4);
    }

    @Test
    void whatWasHeardLateSettlesNoTimeOfTheNextStandstill() {
        owed(1, onTime(5 * SECOND));
        assertThat(owed(3, late(5 * SECOND))).isZero();
        Delivery letIn = new Delivery(13 * SECOND, 0, true, 13 * SECOND);
        assertThat(owed(33, letIn)).isZero();
    }

    @Test
    void ofAnEpochThatBeganBeforeThisHostListenedOnlyTheStateCounts() {
        assertThat(hear(1, 6 * SECOND, 9, onTime(5 * SECOND))).isEqualTo(new News(SpentElsewhere.NOTHING, 0, true));
        assertThat(owed(11, onTime(6 * SECOND))).isEqualTo(2);
    }

    @Test
    void untilAStateHasComeTheNextOneCounts() {
        assertThat(hear(1, 6 * SECOND, 9, onTime(5 * SECOND)).standsAsThere()).isTrue();
        assertThat(hear(1, 7 * SECOND, 11, onTime(6 * SECOND)).standsAsThere()).isTrue();
        assertThat(hearState(7 * SECOND, 11, onTime(6 * SECOND)).standsAsThere())
                .isTrue();
        assertThat(hearState(8 * SECOND, 12, onTime(7 * SECOND)).standsAsThere())
                .isFalse();
    }

    @Test
    void ofAnEpochThatWasHeardWholeNoStateCounts() {
        assertThat(hearState(4 * SECOND, 9, onTime(5 * SECOND)).standsAsThere()).isFalse();
    }

    @Test
    void ofAClientWhoIsHeardOfFirstDuringAStandstillTheRestOfItIsForgiven() {
        assertThat(hear(1, 6 * SECOND, 9, late(5 * SECOND))).isEqualTo(new News(SpentElsewhere.NOTHING, 0, true));
        assertThat(owed(19, late(4 * SECOND))).isZero();
        assertThat(owed(29, late(3 * SECOND))).isZero();
        assertThat(owed(31, late(2 * SECOND))).isEqualTo(2);
    }

    @Test
    void aNewEpochForgivesNothingThatWasSettledBeforeIt() {
        owed(1, onTime(5 * SECOND));
        assertThat(owed(21, late(4 * SECOND))).isZero();
        News news = hear(2, SECOND, 9, late(SECOND));
        assertThat(news.spent()).isEqualTo(new SpentElsewhere(9, 7, 0));
    }

    @Test
    void aNewEpochIsForgivenFromItsBeginning() {
        owed(1, onTime(5 * SECOND));
        assertThat(hear(2, SECOND, 9, late(SECOND)).spent()).isEqualTo(new SpentElsewhere(9, 7, 2 * SECOND));
    }

    private static Delivery onTime(long nanos) {
        return slow(nanos, 0);
    }

    private static Delivery slow(long nanos, long underWay) {
        return new Delivery(nanos, underWay, false, 0);
    }

    private static Delivery late(long underWay) {
        return new Delivery(WAKING, underWay, true, WAKING);
    }

    private static Delivery after(long nanos) {
        return new Delivery(WAKING + nanos, 0, true, WAKING);
    }

    /** Tokens of four each second that cannot have refilled. */
    private long owed(long spent, Delivery delivery) {
        SpentElsewhere told = hear(1, SECOND / 2, spent, delivery).spent();
        return Math.max(0, told.tokens() - 4 * told.standstillNanos() / SECOND);
    }

    /** Hears what was spent seven nanoseconds before it was told. */
    private News hear(long epoch, long epochNanos, long spent, Delivery delivery) {
        return hear(epoch, epochNanos, spent, delivery, ItemMaker.NO_STATES);
    }

    private News hearState(long epochNanos, long spent, Delivery delivery) {
        return hear(1, epochNanos, spent, delivery, new long[][] {{5}});
    }

    private News hear(long epoch, long epochNanos, long spent, Delivery delivery, long[][] states) {
        ConsumptionNews.Item item = new ConsumptionNews.Item(
                SpecForm.of(FOUR_PER_SECOND), ALICE, epoch, epochNanos, Tally.ofSpent(spent), 7, states);
        return heard.hear(7, FOUR_PER_SECOND, item, delivery);
    }
}
