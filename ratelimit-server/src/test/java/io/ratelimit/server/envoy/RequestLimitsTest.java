package io.ratelimit.server.envoy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor.RateLimitOverride;
import io.envoyproxy.envoy.type.v3.RateLimitUnit;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.match.LimitedRule;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.server.envoy.descriptor.DescriptorEntry;
import io.ratelimit.store.BucketSpec;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestLimitsTest {

    private final ManualTimeSource time = new ManualTimeSource();
    private final RequestLimits limits = new RequestLimits(
            (rule, service, version) -> new LimitedRule(
                    rule,
                    new BucketSpec(service, rule.name(), version, rule.limits(), StorePolicy.UNSET),
                    List.of(rule.name())),
            time);

    private boolean brought(int requests, RateLimitUnit unit) {
        RateLimitOverride limit = RateLimitOverride.newBuilder()
                .setRequestsPerUnit(requests)
                .setUnit(unit)
                .build();
        return limits.find("shop", limit, List.of(new DescriptorEntry("user", "alice")))
                .isPresent();
    }

    @Test
    void aFloodOfLimitsTakesNoMoreThanItsRoomUntilTheirBucketsAreFullAndForgotten() {
        for (int requests = 1; requests <= RequestLimits.MOST_OF_A_UNIT; requests++) {
            assertThat(brought(requests, RateLimitUnit.MINUTE)).isTrue();
        }

        assertThatThrownBy(() -> brought(1_000_000, RateLimitUnit.MINUTE))
                .hasMessageContaining("2000 different limits of one unit of time");
        assertThat(brought(1_000_000, RateLimitUnit.HOUR)).as("of another unit").isTrue();
        assertThat(brought(1, RateLimitUnit.MINUTE)).as("that is known").isTrue();

        time.advance(Duration.ofSeconds(170));
        assertThat(brought(1, RateLimitUnit.MINUTE)).isTrue();
        assertThatThrownBy(() -> brought(1_000_000, RateLimitUnit.MINUTE)).isInstanceOf(IllegalStateException.class);

        time.advance(Duration.ofSeconds(11));
        assertThat(brought(1_000_000, RateLimitUnit.MINUTE)).isTrue();
    }
}
