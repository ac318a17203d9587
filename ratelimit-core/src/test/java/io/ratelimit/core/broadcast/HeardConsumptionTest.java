package io.ratelimit.core.broadcast;

import static org.assertj.core.api.Assertions.assertThat;

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

    private final HeardConsumption heard = new HeardConsumption(0);

    @Test
    void whatASumGrowsByHasBeenSpent() {
        assertThat(more(3, onTime(SECOND))).isEqualTo(3);
        assertThat(more(3, onTime(SECOND))).isZero();
        assertThat(more(5, onTime(2 * SECOND))).isEqualTo(2);
        assertThat(more(4, onTime(3 * SECOND))).isZero();
    }

    @Test
    void whatWasUnderWayDuringAStandstillIsForgivenAsOftenAsItCanHaveRefilled() {
        more(1, onTime(5 * SECOND));
        assertThat(more(11, late(4 * SECOND))).isZero();
        assertThat(more(21, late(3 * SECOND))).isZero();
        assertThat(more(31, late(2 * SECOND))).isEqualTo(10);
        assertThat(more(41, late(SECOND))).isEqualTo(10);
    }

    @Test
    void whatIsToldTwiceSettlesNothing() {
        more(1, onTime(5 * SECOND));
        more(3, late(4 * SECOND));
        more(3, late(3 * SECOND));
        assertThat(more(21, late(2 * SECOND))).isZero();
    }

    @Test
    void theFirstThatIsToldAfterAStandstillSettlesIt() {
        more(1, onTime(5 * SECOND));
        assertThat(more(3, late(4 * SECOND))).isZero();
        assertThat(more(28, after(SECOND))).isEqualTo(3);
        assertThat(more(31, after(SECOND))).isEqualTo(3);
    }

    @Test
    void whatWasHeardLateSettlesNoTimeOfTheNextStandstill() {
        more(1, onTime(5 * SECOND));
        assertThat(more(3, late(5 * SECOND))).isZero();
        Delivery letIn = new Delivery(13 * SECOND, 0, true, 13 * SECOND);
        assertThat(more(33, letIn)).isZero();
    }

    private static Delivery onTime(long nanos) {
        return new Delivery(nanos, 0, false, 0);
    }

    private static Delivery late(long underWay) {
        return new Delivery(WAKING, underWay, true, WAKING);
    }

    private static Delivery after(long nanos) {
        return new Delivery(WAKING + nanos, 0, true, WAKING);
    }

    private long more(long spent, Delivery delivery) {
        ConsumptionNews.Item item =
                new ConsumptionNews.Item(SpecForm.of(FOUR_PER_SECOND), ALICE, 1, 500_000_000L, spent, 0, new long[0][]);
        return heard.hear(7, FOUR_PER_SECOND, item, delivery).tokens();
    }
}
