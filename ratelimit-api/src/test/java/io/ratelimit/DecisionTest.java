package io.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.rules.Condition;
import io.ratelimit.rules.Key;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.OnExceeded;
import io.ratelimit.rules.Rule;
import io.ratelimit.rules.StorePolicy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DecisionTest {

    private static final Limit LIMIT = Limit.of(5, Duration.ofMinutes(1));
    private static final Rule RULE = new Rule(
            "everyone",
            Condition.ALWAYS,
            new Key.Client(),
            List.of(LIMIT),
            List.of(),
            OnExceeded.REJECT,
            StorePolicy.UNSET);

    @Test
    void aRequestThatNoLimitWasAskedAboutHasAnythingLeftAndNoWait() {
        Decision decision = new Answer(true, Decision.Reason.NO_LIMIT, null);
        assertThat(decision.remaining()).isEqualTo(Long.MAX_VALUE);
        assertThat(decision.retryAfter()).contains(Duration.ZERO);
    }

    @Test
    void anAllowedRequestHasNoWaitAndShowsWhatIsLeft() {
        Decision decision = new Answer(true, Decision.Reason.WITHIN_LIMITS, status(new LimitState(3, 0, 12)));
        assertThat(decision.remaining()).isEqualTo(3);
        assertThat(decision.retryAfter()).contains(Duration.ZERO);
    }

    @Test
    void aRefusedRequestWaitsForTheDecidingLimit() {
        Decision decision =
                new Answer(false, Decision.Reason.LIMIT_EXCEEDED, status(new LimitState(0, 12_000_000_001L, 1)));
        assertThat(decision.retryAfter()).contains(Duration.ofNanos(12_000_000_001L));
    }

    @Test
    void aRequestThatNoWaitingCanHelpIsPromisedNothing() {
        Decision decision =
                new Answer(false, Decision.Reason.LIMIT_EXCEEDED, status(new LimitState(5, LimitState.NEVER, 0)));
        assertThat(decision.retryAfter()).isEmpty();
        assertThat(decision.remaining()).isEqualTo(5);
    }

    @Test
    void aRefusalWithoutALimitIsPromisedNothing() {
        assertThat(new Answer(false, Decision.Reason.FAILURE, null).retryAfter())
                .isEmpty();
    }

    @Test
    void aStateAdmitsOnlyWhereThereIsNothingToWaitFor() {
        assertThat(new LimitState(0, 0, 1).admits()).isTrue();
        assertThat(new LimitState(0, 1, 1).admits()).isFalse();
        assertThat(new LimitState(0, LimitState.NEVER, 1).admits()).isFalse();
    }

    @Test
    void theShortestFormSaysWhetherTheDecisionAllows() {
        assertThat(limiterThat(true).allowRequest(null)).isTrue();
        assertThat(limiterThat(false).allowRequest(null)).isFalse();
    }

    private static RateLimiter limiterThat(boolean allows) {
        return new RateLimiter() {
            @Override
            public Decision decide(RequestContext context) {
                return new Answer(allows, Decision.Reason.NO_LIMIT, null);
            }

            @Override
            public CompletionStage<Decision> decideAsync(RequestContext context) {
                throw new UnsupportedOperationException();
            }
        };
    }

    private static LimitStatus status(LimitState state) {
        return new LimitStatus(RULE, LIMIT, "everyone", state);
    }

    private record Answer(
            boolean allowed, Reason reason, @Nullable LimitStatus decidingLimit) implements Decision {

        @Override
        public List<LimitStatus> limits() {
            return decidingLimit == null ? List.of() : List.of(decidingLimit);
        }
    }
}
