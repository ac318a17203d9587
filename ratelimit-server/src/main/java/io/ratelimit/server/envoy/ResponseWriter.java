package io.ratelimit.server.envoy;

import com.google.protobuf.Duration;
import io.envoyproxy.envoy.config.core.v3.HeaderValue;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.RateLimit;
import io.ratelimit.Decision;
import io.ratelimit.LimitState;
import io.ratelimit.LimitStatus;
import io.ratelimit.core.JointDecision;
import io.ratelimit.core.http.HttpAnswers;
import io.ratelimit.rules.Limit;
import io.ratelimit.server.envoy.descriptor.DescriptorLimit;
import io.ratelimit.server.envoy.descriptor.LimitUnit;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Tells decisions in Envoy's words. Thread-safe. */
final class ResponseWriter {

    private static final long MOST = 0xFFFF_FFFFL;
    private static final int UNLIMITED = (int) MOST;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final HttpAnswers answers;

    ResponseWriter(HttpAnswers answers) {
        this.answers = answers;
    }

    RateLimitResponse write(List<LimitedDescriptor> descriptors, JointDecision decision) {
        RateLimitResponse.Builder response = RateLimitResponse.newBuilder().setOverallCode(code(decision.whole()));
        for (int i = 0; i < descriptors.size(); i++) {
            response.addStatuses(status(descriptors.get(i), decision.parts().get(i)));
        }
        answers.tell(
                decision.whole(),
                (name, value) -> response.addResponseHeadersToAdd(
                        HeaderValue.newBuilder().setKey(name).setValue(value)));
        return response.build();
    }

    /** The answer where nothing is known: all pass. */
    RateLimitResponse passing(int descriptors) {
        RateLimitResponse.Builder response = RateLimitResponse.newBuilder().setOverallCode(Code.OK);
        for (int i = 0; i < descriptors; i++) {
            response.addStatuses(DescriptorStatus.newBuilder().setCode(Code.OK));
        }
        return response.build();
    }

    private static Code code(Decision decision) {
        return decision.allowed() ? Code.OK : Code.OVER_LIMIT;
    }

    private static DescriptorStatus status(LimitedDescriptor descriptor, Decision decision) {
        DescriptorStatus.Builder status = DescriptorStatus.newBuilder().setCode(code(decision));
        LimitStatus deciding = decision.decidingLimit();
        if (deciding == null) {
            return descriptor.isUnlimited()
                    ? status.setLimitRemaining(UNLIMITED).build()
                    : status.build();
        }
        status.setCurrentLimit(currentLimit(descriptor.limit(), deciding))
                .setLimitRemaining((int) Math.min(deciding.remaining(), MOST));
        Duration reset = untilReset(deciding);
        return reset == null
                ? status.build()
                : status.setDurationUntilReset(reset).build();
    }

    private static RateLimit currentLimit(@Nullable DescriptorLimit limit, LimitStatus deciding) {
        if (limit == null || limit.quota() == null) {
            return ofRule(deciding);
        }
        DescriptorLimit.Quota quota = limit.quota();
        return quota.rule().rule().equals(deciding.rule())
                ? RateLimit.newBuilder()
                        .setName(Objects.requireNonNullElse(limit.name(), ""))
                        .setRequestsPerUnit((int) quota.requestsPerUnit())
                        .setUnit(unit(quota.unit()))
                        .build()
                : ofRule(deciding);
    }

    private static RateLimit ofRule(LimitStatus deciding) {
        return RateLimit.newBuilder()
                .setName(deciding.policy())
                .setRequestsPerUnit((int) Math.min(deciding.limit().tokens(), MOST))
                .setUnit(LimitUnit.of(deciding.limit().period())
                        .map(ResponseWriter::unit)
                        .orElse(RateLimit.Unit.UNKNOWN))
                .build();
    }

    private static RateLimit.Unit unit(LimitUnit unit) {
        return RateLimit.Unit.valueOf(unit.name());
    }

    /** Until a refused request passes, or until all tokens are back; null where time alone does not help. */
    private static @Nullable Duration untilReset(LimitStatus deciding) {
        LimitState state = deciding.state();
        if (!state.admits()) {
            return state.waitNanos() == LimitState.NEVER ? null : duration(state.waitNanos());
        }
        Limit limit = deciding.limit();
        if (limit.isBlocked() || limit.period().isZero()) {
            return null;
        }
        long missing = limit.capacity() - state.remaining();
        double perToken = (double) limit.period().toNanos() / limit.tokens();
        // Too large a number becomes the largest.
        return missing <= 0 ? duration(0) : duration((long) (state.nextTokenNanos() + (missing - 1) * perToken));
    }

    private static Duration duration(long nanos) {
        return Duration.newBuilder()
                .setSeconds(nanos / NANOS_PER_SECOND)
                .setNanos((int) (nanos % NANOS_PER_SECOND))
                .build();
    }
}
