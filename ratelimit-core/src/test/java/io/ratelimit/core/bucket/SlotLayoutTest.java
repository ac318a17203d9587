package io.ratelimit.core.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.algorithm.LimitAlgorithm;
import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.LimitOptions;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SlotLayoutTest {

    @Test
    void shortStatesOfFixedLengthLieInTheSlots() {
        assertThat(layout(counter(14)).isOutside()).isFalse();
        assertThat(layout(counter(14)).stride()).isEqualTo(1 + 16);
    }

    @Test
    void longStatesAndThoseThatGrowLieBesideTheSlots() {
        assertThat(layout(counter(15)).isOutside()).isTrue();
        assertThat(layout(counter(15)).stride()).isEqualTo(1);
        assertThat(layout(limit(Algorithm.SLIDING_WINDOW_LOG, LimitOptions.NONE))
                        .isOutside())
                .isTrue();
    }

    private static SlotLayout layout(Limit limit) {
        return SlotLayout.of(new LimitAlgorithm[] {LimitAlgorithm.of(limit)}, false);
    }

    private static Limit counter(int precision) {
        return limit(Algorithm.SLIDING_WINDOW_COUNTER, LimitOptions.NONE.withPrecision(precision));
    }

    private static Limit limit(Algorithm algorithm, LimitOptions options) {
        return new Limit(500, Duration.ofSeconds(15 * 14), 500, algorithm, options);
    }
}
