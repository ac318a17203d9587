package io.ratelimit.core;

import static io.ratelimit.core.TestRequest.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ratelimit.Decision;
import io.ratelimit.LimitStatus;
import io.ratelimit.RateLimitListener;
import io.ratelimit.RequestContext;
import io.ratelimit.Settlement;
import io.ratelimit.core.bucket.LocalBucketStore;
import io.ratelimit.core.match.RulesCache;
import io.ratelimit.core.rules.RulesParser;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.RulesException;
import io.ratelimit.rules.StorePolicy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SettlementTest {

    private final ManualTimeSource time = new ManualTimeSource();
    private final RateLimitListener listener = new RateLimitListener() {};
    private final RulesCache rules = new RulesCache(StorePolicy.UNSET, listener);
    private final LocalBucketStore store = new LocalBucketStore(time, 1_000);
    private final TokenBucketRateLimiter limiter =
            new TokenBucketRateLimiter(rules, store, listener, new FaultLog(SettlementTest.class, time));

    private long version;

    @Test
    void onlyFailuresAreCounted() {
        enforce("{ name: login, limits: [5 per 15m], charge: { when: response, status: [401, 403] } }");
        for (int i = 0; i < 20; i++) {
            assertThat(pass().complete(200)).isTrue();
        }
        for (int status : List.of(401, 403, 401, 403, 401)) {
            assertThat(pass().complete(status)).isTrue();
        }
        assertThat(limiter.decide(get("/")).allowed()).isFalse();
    }

    @Test
    void aThousandParallelLoginsDoNotAllPass() {
        enforce("{ name: login, limits: [5 per 15m], charge: { when: response, status: 401 } }");
        long passed = IntStream.range(0, 1_000)
                .filter(i -> limiter.decide(get("/")).allowed())
                .count();
        assertThat(passed).isEqualTo(5);
    }

    @Test
    void aRequestIsSettledOnceByWhoeverComesFirst() {
        enforce("{ name: all, limits: [10/h] }");
        Settlement settlement = pass();
        assertThat(settlement.refund()).isTrue();
        assertThat(settlement.refund()).isFalse();
        assertThat(settlement.confirm(9)).isFalse();
        assertThat(settlement.complete(500)).isFalse();
        assertThat(remaining()).isEqualTo(10);
    }

    @Test
    void whatARequestCostsInTheEndIsChargedOrGivenBack() {
        enforce("{ name: all, limits: [10/h] }");
        assertThat(pass().confirm(4)).isTrue();
        assertThat(remaining()).isEqualTo(6);
        assertThat(limiter.decide(get("/").cost(5)).settlement().confirm(2)).isTrue();
        assertThat(remaining()).isEqualTo(4);
        assertThat(pass().confirm(0)).isTrue();
        assertThat(remaining()).isEqualTo(4);
        assertThat(pass().confirm()).isTrue();
        assertThat(remaining()).isEqualTo(3);
    }

    @Test
    void whatCameBackByItselfAfterAnotherRefundIsNotGivenBackAgain() {
        for (String limits : List.of("[200 per 200m]", "[200 per 200m, 1000/d]")) {
            enforce("{ name: all, limits: " + limits + " }");
            Settlement first = limiter.decide(get("/").user(limits).cost(100)).settlement();
            Settlement second = limiter.decide(get("/").user(limits).cost(100)).settlement();
            first.refund();
            time.advance(Duration.ofMinutes(100));
            assertThat(limiter.decide(get("/").user(limits).cost(200)).allowed())
                    .isTrue();
            second.refund();
            assertThat(limiter.decide(get("/").user(limits).cost(0)).remaining())
                    .isZero();
        }
    }

    @Test
    void aSweepForgetsNoRefundThatReceiptsStillCountOn() {
        enforce("{ name: all, limits: [100 per 100s] }");
        Settlement first = limiter.decide(get("/").cost(10)).settlement();
        limiter.decide(get("/").cost(10));
        first.refund();
        time.advance(Duration.ofSeconds(19));
        Settlement second = limiter.decide(get("/").cost(10)).settlement();
        Settlement third = limiter.decide(get("/").cost(10)).settlement();
        time.advance(Duration.ofSeconds(2));
        store.sweep();
        second.refund();
        time.advance(Duration.ofSeconds(4));
        limiter.decide(get("/").cost(50));
        time.advance(Duration.ofSeconds(6));
        long before = remaining();
        third.refund();
        assertThat(remaining()).isEqualTo(before);
    }

    @Test
    void aRefundLongAfterItsChargeGivesNothingBackThoughItsStateComesRound() {
        enforce("{ name: all, limits: [1000003 per 1s] }");
        Settlement old = limiter.decide(get("/").cost(1_000_003)).settlement();
        // A state of this rate comes round in two and a half hours.
        for (int minutes = 0; minutes < 130; minutes++) {
            time.advance(Duration.ofMinutes(1));
            store.sweep();
        }
        limiter.decide(get("/").cost(1_000_003));
        old.refund();
        assertThat(remaining()).isZero();
    }

    @Test
    void parallelRequestsThatAreAllRefundedLeaveAFullBucket() {
        enforce("{ name: all, limits: [10/h] }");
        List<Settlement> open = new ArrayList<>();
        for (int round = 0; round < 100; round++) {
            for (int i = 0; i < 10; i++) {
                open.add(pass());
                time.advance(Duration.ofMillis(10));
            }
            time.advance(Duration.ofMinutes(3));
            Collections.shuffle(open, new Random(round));
            open.forEach(Settlement::refund);
            open.clear();
            assertThat(remaining()).isEqualTo(10);
        }
    }

    @Test
    void aLateChargeBeyondTheLimitIsOwed() {
        enforce("{ name: all, limits: [10/h] }");
        assertThat(pass().confirm(15)).isTrue();
        Decision next = limiter.decide(get("/"));
        assertThat(next.allowed()).isFalse();
        assertThat(next.retryAfter().orElseThrow()).hasMinutes(36);
    }

    @Test
    void whatIsDecidedAgainIsSettledOnceAltogether() {
        enforce("{ name: all, limits: [10/h] }");
        Decision first = limiter.decide(get("/"));
        Decision extended = limiter.extend(first, get("/").operation("export").cost(3));
        assertThat(first.settlement().refund()).isFalse();
        assertThat(remaining()).isEqualTo(7);
        assertThat(extended.settlement().refund()).isTrue();
        assertThat(remaining()).isEqualTo(10);
    }

    @Test
    void whereTheRulesCannotBeAskedAgainTheFirstDecisionStandsAndIsSettled() {
        enforce("{ name: busy, sharing: host, limits: { tokens: 1, algorithm: concurrency } }");
        Decision first = limiter.decide(get("/"));
        Decision extended = limiter.extend(first, new FailingRequest());
        assertThat(extended.allowed()).isTrue();
        assertThat(extended.settlement().complete(500)).isTrue();
        assertThat(remaining()).isEqualTo(1);
    }

    @Test
    void requestsUnderWayAreCountedUntilTheyAreSettled() {
        enforce("{ name: busy, sharing: host, limits: { tokens: 2, algorithm: concurrency } }");
        Settlement one = pass();
        Settlement other = pass();
        Decision refused = limiter.decide(get("/"));
        assertThat(refused.allowed()).isFalse();
        assertThat(refused.retryAfter()).isEmpty();
        one.complete(200);
        Settlement third = pass();
        assertThat(limiter.decide(get("/")).allowed()).isFalse();
        other.confirm();
        third.refund();
        assertThat(remaining()).isEqualTo(2);
    }

    @Test
    void tokensAndPlacesOfOneRuleAreGivenBackEachInItsWay() {
        enforce("{ name: busy, sharing: host, limits: [3/h, { tokens: 1, algorithm: concurrency }] }");
        for (int i = 0; i < 3; i++) {
            pass().confirm();
        }
        assertThat(limiter.decide(get("/")).decidingLimit().policy()).isEqualTo("busy:1h");
    }

    @Test
    void requestsUnderWayOutliveAReloadOfTheirLimit() {
        enforce("{ name: busy, sharing: host, limits: { tokens: 2, algorithm: concurrency } }");
        Settlement one = pass();
        Settlement other = pass();
        enforce("{ name: busy, sharing: host, limits: { tokens: 1, algorithm: concurrency } }");
        assertThat(limiter.decide(get("/")).allowed()).isFalse();
        one.confirm();
        assertThat(limiter.decide(get("/")).allowed()).isFalse();
        other.confirm();
        assertThat(limiter.decide(get("/")).allowed()).isTrue();
    }

    @Test
    void aRequestThatIsRefusedAfterItBecameCheaperLeavesNothingUnderWay() {
        enforce(
                "{ name: busy, sharing: host, limits: { tokens: 5, algorithm: concurrency } }",
                "{ name: writes, match: { operation: write }, limits: [1/h] }");
        limiter.decide(get("/").operation("write").cost(1)).settlement().confirm();
        Decision dear = limiter.decide(get("/").cost(5));
        Decision cheap = limiter.extend(dear, get("/").cost(2));
        Decision refused = limiter.extend(cheap, get("/").operation("write").cost(2));
        assertThat(refused.allowed()).isFalse();
        assertThat(remaining()).isEqualTo(5);
    }

    @Test
    void aLimitThatWentAndCameBackReleasesOnlyWhatItCounts() {
        String limited = "{ name: busy, sharing: host, limits: { tokens: 1, algorithm: concurrency } }";
        enforce(limited);
        Settlement before = pass();
        enforce("{ name: busy, sharing: host, limits: [100/h] }");
        pass().confirm();
        time.advance(Duration.ofSeconds(1));
        enforce(limited);
        Settlement after = pass();
        before.confirm();
        assertThat(limiter.decide(get("/")).allowed()).isFalse();
        after.confirm();
        assertThat(limiter.decide(get("/")).allowed()).isTrue();
    }

    @Test
    void theShortestFormSaysWhereItCannotBeUsedAndKeepsNothing() {
        enforce("{ name: busy, sharing: host, limits: { tokens: 1, algorithm: concurrency } }");
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> limiter.allowRequest(get("/")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("settle");
        }
        assertThat(remaining()).isEqualTo(1);
    }

    @Test
    void aShadowRuleCountsOnItsOwnAndHidesNoOther() {
        enforce("{ name: trial, limits: [2/h], onExceeded: shadow }", "{ name: real, limits: [4/h] }");
        for (int i = 0; i < 4; i++) {
            Decision decision = limiter.decide(get("/"));
            assertThat(decision.allowed()).isTrue();
            assertThat(decision.limits()).extracting(LimitStatus::policy).containsExactly("real");
            assertThat(decision.remaining()).isEqualTo(3 - i);
            assertThat(decision.shadowRefusals())
                    .extracting(LimitStatus::policy)
                    .containsExactlyElementsOf(i < 2 ? List.of() : List.of("trial"));
        }
        Decision refused = limiter.decide(get("/"));
        assertThat(refused.allowed()).isFalse();
        assertThat(refused.shadowRefusals()).isEmpty();
    }

    @Test
    void aRequestThatChargedNothingHasNothingToSettle() {
        enforce("{ name: others, match: { path: /others }, limits: [2/h] }");
        assertThat(pass()).isSameAs(Settlement.NOTHING);
        assertThat(pass().refund()).isFalse();
    }

    /** Cannot even say what it is about. */
    private static final class FailingRequest implements RequestContext {

        @Override
        public String method() {
            throw new IllegalStateException("on purpose");
        }

        @Override
        public String path() {
            return "/";
        }

        @Override
        public String peerAddress() {
            return "192.0.2.7";
        }

        @Override
        public String user() {
            return "alice";
        }

        @Override
        public List<String> headers(String name) {
            return List.of();
        }

        @Override
        public String cookie(String name) {
            return null;
        }

        @Override
        public Object attribute(String name) {
            return null;
        }
    }

    private Settlement pass() {
        Decision decision = limiter.decide(get("/"));
        assertThat(decision.allowed()).isTrue();
        return decision.settlement();
    }

    private long remaining() {
        return limiter.decide(get("/").cost(0)).remaining();
    }

    private void enforce(String... list) {
        String text = "service: test\nrules:\n  - " + String.join("\n  - ", list);
        try {
            byte[] content = text.getBytes(StandardCharsets.UTF_8);
            rules.replace(new RulesParser().parse(new RulesDocument("rules.yaml", content, "tag", ++version)));
        } catch (RulesException e) {
            throw new AssertionError(e);
        }
    }
}
