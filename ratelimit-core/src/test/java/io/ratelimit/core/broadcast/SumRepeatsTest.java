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

class SumRepeatsTest {

    private static final BucketSpec BUCKET =
            new BucketSpec("", "everyone", 1, List.of(Limit.of(4, Duration.ofSeconds(1))), StorePolicy.UNSET);
    private static final long MILLI = 1_000_000L;
    private static final long BEGUN = Long.MAX_VALUE - 300 * MILLI;

    private final SumRepeats repeats = new SumRepeats();
    private final RelayedSum sum =
            new RelayedSum(new Place("everyone", new UUID(1, 2)), BUCKET, SpecForm.of(BUCKET), () -> 1, BEGUN);

    /** How many are told again, by a clock that wraps. */
    private int toldAfter(long millis) {
        List<SumRepeats.Repeat> due = repeats.due(BEGUN + millis * MILLI);
        due.forEach(repeat -> {
            assertThat(repeat.sum()).isSameAs(sum);
            assertThat(repeat.toldNanos()).isEqualTo(BEGUN);
            repeats.goOn(repeat, BEGUN + millis * MILLI);
        });
        return due.size();
    }

    @Test
    void aSumIsToldFourTimesMoreEachTimeAfterFourTimesAsLong() {
        repeats.begin(sum, BEGUN);
        for (long millis : new long[] {250, 1_000, 4_000, 16_000}) {
            assertThat(toldAfter(millis - 1)).isZero();
            assertThat(toldAfter(millis)).isEqualTo(1);
        }
        assertThat(toldAfter(1_000_000)).isZero();
    }

    @Test
    void aPauseDoesNotUseUpWhatIsLeft() {
        repeats.begin(sum, BEGUN);
        assertThat(toldAfter(20_000)).isEqualTo(1);
        assertThat(toldAfter(20_050)).isZero();
        assertThat(toldAfter(20_750)).isEqualTo(1);
        assertThat(toldAfter(23_750)).isEqualTo(1);
        assertThat(toldAfter(35_750)).isEqualTo(1);
        assertThat(toldAfter(1_000_000)).isZero();
    }
}
