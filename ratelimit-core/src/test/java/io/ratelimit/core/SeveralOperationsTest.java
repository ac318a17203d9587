package io.ratelimit.core;

import static io.ratelimit.core.TestRequest.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.Decision;
import io.ratelimit.RateLimitListener;
import io.ratelimit.RequestContext;
import io.ratelimit.core.bucket.LocalBucketStore;
import io.ratelimit.core.match.RulesCache;
import io.ratelimit.core.rules.RulesParser;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.StorePolicy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests that do several operations, and requests of which more becomes known step by step. */
class SeveralOperationsTest {

    private static final String RULES = """
            service: test
            rules:
              - { name: all, match: { path: /** }, key: [user], limits: [10/m] }
              - { name: read, match: { operation: read }, key: service, limits: [3/m] }
              - { name: write, match: { operation: write }, key: service, limits: [2/m] }
            """;

    private static final TestRequest ALICE = get("/").user("alice");
    private static final RequestContext LOOK = ALICE.cost(0);

    private final ManualTimeSource time = new ManualTimeSource();
    private final RulesCache rules = new RulesCache(StorePolicy.UNSET, new RateLimitListener() {});
    private final TokenBucketRateLimiter limiter = new TokenBucketRateLimiter(
            rules,
            new LocalBucketStore(time, 1000),
            new RateLimitListener() {},
            new FaultLog(SeveralOperationsTest.class, time));

    @BeforeEach
    void enforce() throws Exception {
        byte[] content = RULES.getBytes(StandardCharsets.UTF_8);
        rules.replace(new RulesParser().parse(new RulesDocument("rules.yaml", content, "tag", 1)));
    }

    private long left() {
        return limiter.decide(LOOK).remaining();
    }

    @Test
    void aRuleThatAllOperationsLeadToIsChargedOnceTheHighestCost() {
        Decision decision = limiter.decideAll(List.of(
                ALICE.operation("read").cost(1), ALICE.operation("write").cost(2)));
        assertThat(decision.allowed()).isTrue();
        assertThat(decision.limits())
                .extracting(limit -> limit.policy() + " " + limit.remaining())
                .containsExactly("all 8", "read 2", "write 0");
    }

    @Test
    void anOperationThatIsRefusedLeavesTheOthersUncharged() {
        limiter.decideAll(List.of(ALICE.operation("write").cost(2)));
        List<RequestContext> both = List.of(ALICE.operation("read"), ALICE.operation("write"));
        assertThat(limiter.decideAll(both).allowed()).isFalse();
        assertThat(limiter.extendAll(limiter.decide(ALICE), both).allowed()).isFalse();
        assertThat(left()).isEqualTo(8);
        assertThat(limiter.decide(ALICE.operation("read").cost(3)).allowed()).isTrue();
    }

    @Test
    void anExtensionThatWasMadeBeforeChargesNothingMore() {
        Decision first = limiter.decide(ALICE);
        Decision second = limiter.extend(first, ALICE.operation("read").cost(3));
        assertThat(left()).isEqualTo(7);
        limiter.extend(second, ALICE.operation("read").cost(3));
        assertThat(left()).isEqualTo(7);
    }

    @Test
    void aRefusalAfterSeveralExtensionsGivesBackAllThatWasPaid() {
        limiter.decide(ALICE.operation("write").cost(2));
        Decision extended =
                limiter.extend(limiter.decide(ALICE), ALICE.operation("read").cost(3));
        assertThat(left()).isEqualTo(5);
        assertThat(limiter.extend(extended, ALICE.operation("write").cost(3)).allowed())
                .isFalse();
        assertThat(left()).isEqualTo(8);
    }

    @Test
    void whatWasGivenBackOnceIsNotGivenBackAgain() {
        Decision dear = limiter.decide(ALICE.cost(6));
        Decision cheap = limiter.extend(dear, ALICE.cost(2));
        assertThat(left()).isEqualTo(8);
        limiter.decide(ALICE.cost(2));
        assertThat(limiter.refund(cheap).reason()).isEqualTo(Decision.Reason.NO_LIMIT);
        assertThat(left()).isEqualTo(8);
    }

    @Test
    void aRuleIsPaidOnceThoughTheUserBecomesKnownLater() {
        Decision asAlice = limiter.decide(ALICE);
        limiter.extend(asAlice, ALICE.user("bob").operation("read"));
        assertThat(left()).isEqualTo(9);
        assertThat(limiter.decide(get("/").user("bob").cost(0)).remaining()).isEqualTo(10);
    }
}
