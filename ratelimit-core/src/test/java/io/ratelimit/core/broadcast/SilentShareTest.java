package io.ratelimit.core.broadcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.LimitOptions;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SilentShareTest {

    private static final long SECOND = 1_000_000_000L;
    private static final Limit LARGE = Limit.of(128_000, Duration.ofSeconds(1));

    private static SilentShare share(Limit... limits) {
        return SilentShare.of(new BucketSpec("orders", "everyone", 1, List.of(limits), StorePolicy.UNSET));
    }

    @Test
    void allHostsTogetherAreSilentAboutOneInAHundredAndTwentyEight() {
        SilentShare share = share(LARGE.withBurst(256_000));
        assertThat(share.tokens(10)).isCloseTo(200, within(1e-9));
        assertThat(share.leaked(SECOND, 10)).isCloseTo(100, within(1e-9));
    }

    @Test
    void ofSeveralLimitsTheSmallestBurstAndTheSmallestRateCount() {
        SilentShare share = share(LARGE, Limit.of(1_280_000, Duration.ofDays(1)));
        assertThat(share.tokens(10)).isCloseTo(100, within(1e-9));
        assertThat(share.leaked(86_400 * SECOND, 10)).isCloseTo(1_000, within(1e-9));
    }

    @Test
    void windowsHaveAShareAsBucketsDo() {
        for (Algorithm algorithm :
                List.of(Algorithm.FIXED_WINDOW, Algorithm.SLIDING_WINDOW_LOG, Algorithm.SLIDING_WINDOW_COUNTER)) {
            SilentShare share = share(new Limit(12_800, Duration.ofSeconds(1), 12_800, algorithm));
            assertThat(share.tokens(10)).isCloseTo(10, within(1e-9));
        }
    }

    @Test
    void asLongAsOneHostIsKnownAllIsTold() {
        assertThat(share(LARGE).tokens(1)).isZero();
        assertThat(share(LARGE).tokens(0)).isZero();
    }

    @Test
    void nothingIsUntoldWhereTheTimeSinceTheLastRequestCounts() {
        LimitOptions interval = LimitOptions.NONE.withMinInterval(Duration.ofMillis(1));
        assertThat(share(LARGE, LARGE.with(interval)).tokens(2)).isZero();
    }

    @Test
    void aLimitThatRefusesAlwaysAndOneOfRequestsUnderWayHaveNone() {
        assertThat(share(LARGE, Limit.BLOCKED).tokens(2)).isZero();
        assertThat(share(LARGE, new Limit(1_000, Duration.ZERO, 1_000, Algorithm.CONCURRENCY))
                        .tokens(2))
                .isZero();
    }
}
