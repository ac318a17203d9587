package io.ratelimit.core;

import static io.ratelimit.core.TestRequest.get;
import static io.ratelimit.core.TestRequest.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.ratelimit.Decision;
import io.ratelimit.LimitStatus;
import io.ratelimit.RateLimitListener;
import io.ratelimit.RequestContext;
import io.ratelimit.core.bucket.LocalBucketStore;
import io.ratelimit.core.match.RulesCache;
import io.ratelimit.core.rules.RulesParser;
import io.ratelimit.rules.RuleSet;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.RulesException;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;

class TokenBucketRateLimiterTest {

    private final ManualTimeSource time = new ManualTimeSource();
    private final RateLimitListener listener = mock(RateLimitListener.class);
    private final RateLimitListener hearing = new GuardedListener(listener);
    private final RulesCache rules = new RulesCache(StorePolicy.UNSET, hearing);
    private final TokenBucketRateLimiter limiter = limiter(new LocalBucketStore(time, 100_000));

    private long version;

    private TokenBucketRateLimiter limiter(BucketStore buckets) {
        return new TokenBucketRateLimiter(
                rules, buckets, hearing, new FaultLog(TokenBucketRateLimiterTest.class, time));
    }

    private static RuleSet parse(String text, long version) {
        try {
            byte[] content = text.getBytes(StandardCharsets.UTF_8);
            return new RulesParser().parse(new RulesDocument("rules.yaml", content, "tag", version));
        } catch (RulesException e) {
            throw new AssertionError(e);
        }
    }

    private void enforce(String rulesList) {
        rules.replace(parse("service: test\nrules:\n" + rulesList.indent(2), ++version));
    }

    private int allowed(int requests, RequestContext request) {
        int allowed = 0;
        for (int i = 0; i < requests; i++) {
            if (limiter.allowRequest(request)) {
                allowed++;
            }
        }
        return allowed;
    }

    @Test
    void withoutRulesEveryRequestPasses() {
        Decision decision = limiter.decide(get("/"));
        assertThat(decision.allowed()).isTrue();
        assertThat(decision.reason()).isEqualTo(Decision.Reason.NO_LIMIT);
        assertThat(decision.limits()).isEmpty();
        assertThat(decision.remaining()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void oneTokenEveryTwelveSecondsAtFivePerMinute() {
        enforce("- { name: slow, limits: [5 per minute] }");
        assertThat(allowed(6, get("/"))).isEqualTo(5);
        assertThat(limiter.decide(get("/")).retryAfter()).contains(Duration.ofSeconds(12));
        time.advance(Duration.ofMillis(12_200));
        assertThat(allowed(2, get("/"))).isEqualTo(1);
    }

    @Test
    void oneRequestInThirtyDaysIsALimitLikeAnyOther() {
        enforce("- { name: rare, limits: [1 per 30d] }");
        assertThat(allowed(1, get("/"))).isEqualTo(1);
        assertThat(limiter.decide(get("/")).retryAfter()).contains(Duration.ofDays(30));
    }

    @Test
    void theLimitThatRefusedDecidesAndNothingIsChargedAnywhere() {
        enforce("- { name: both, limits: [60 per 1m, 3 per 1h] }");
        assertThat(allowed(3, get("/"))).isEqualTo(3);
        Decision refused = limiter.decide(get("/"));
        assertThat(refused.allowed()).isFalse();
        assertThat(refused.retryAfter()).contains(Duration.ofMinutes(20));
        assertThat(refused.decidingLimit().policy()).isEqualTo("both:1h");
        assertThat(refused.limits()).extracting(LimitStatus::remaining).containsExactly(57L, 0L);
        time.advance(Duration.ofSeconds(65));
        assertThat(limiter.decide(get("/")).limits())
                .extracting(LimitStatus::remaining)
                .containsExactly(60L, 0L);
    }

    @Test
    void aRefusalByOneRuleLeavesTheOthersUntouched() {
        enforce("""
                - { name: wide, limits: [100/h] }
                - { name: narrow, match: { path: /calc }, limits: [10/m] }
                """);
        assertThat(allowed(50, get("/calc"))).isEqualTo(10);
        assertThat(limiter.decide(get("/")).remaining()).isEqualTo(89);
    }

    @Test
    void aCounterBelongsToARuleAndAClientAndNothingElse() {
        enforce("""
                - { name: signup, match: { path: /signup, methods: [POST] }, limits: [5 per 10m] }
                - { name: check, match: { path: /check, methods: [GET] }, limits: [20 per 10m] }
                """);
        assertThat(allowed(20, get("/check"))).isEqualTo(20);
        assertThat(allowed(5, request("POST", "/signup"))).isEqualTo(5);
        assertThat(allowed(1, get("/check"))).isZero();
        assertThat(allowed(1, request("POST", "/signup"))).isZero();
        assertThat(allowed(1, get("/check").from("192.0.2.2"))).isEqualTo(1);
    }

    @Test
    void aTemplatedPathHasOneCounterForAllItsNames() {
        enforce("- { name: users, match: { path: \"/users/{id}\" }, limits: [10/m] }");
        AtomicInteger id = new AtomicInteger();
        int allowed = 0;
        for (int i = 0; i < 30; i++) {
            allowed += allowed(1, get("/users/" + id.incrementAndGet()));
        }
        assertThat(allowed).isEqualTo(10);
    }

    @Test
    void aCostAboveTheCapacityIsRefusedWithoutAPromiseAndCostsNothing() {
        enforce("- { name: ten, limits: [10/m] }");
        Decision refused = limiter.decide(get("/").cost(11));
        assertThat(refused.allowed()).isFalse();
        assertThat(refused.retryAfter()).isEmpty();
        assertThat(limiter.decide(get("/")).remaining()).isEqualTo(9);
        Decision report = limiter.decide(get("/").cost(10));
        assertThat(report.retryAfter()).contains(Duration.ofSeconds(6));
        time.advance(Duration.ofSeconds(6));
        assertThat(limiter.decide(get("/").cost(10)).remaining()).isZero();
    }

    @Test
    void aReloadIsNoAmnestyAndATightenedLimitBitesAtOnce() {
        enforce("- { name: r, limits: [1000 per 15m] }");
        allowed(1, get("/"));
        enforce("- { name: r, limits: [10 per 15m] }");
        assertThat(allowed(20, get("/"))).isEqualTo(9);
        assertThat(limiter.decide(get("/")).decidingLimit().limit().tokens()).isEqualTo(10);
        enforce("- { name: r, limits: [50 per 15m] }");
        assertThat(allowed(60, get("/"))).isEqualTo(40);
        for (int i = 0; i < 20; i++) {
            enforce("- { name: r, limits: [50 per 15m] }");
        }
        assertThat(allowed(5, get("/"))).isZero();
        enforce("[]");
        assertThat(limiter.decide(get("/")).reason()).isEqualTo(Decision.Reason.NO_LIMIT);
        enforce("- { name: r, limits: [50 per 15m] }");
        assertThat(allowed(5, get("/"))).isZero();
    }

    @Test
    void aLimitOfNoneBlocksAndAnOverrideLiftsItForOne() {
        enforce("""
                - name: byAddress
                  limits: [60/m]
                  overrides:
                    - { when: { ip: 203.0.113.50 }, limits: [10000/m] }
                    - { when: { ip: 203.0.113.100 }, limits: 0 }
                """);
        Decision blocked = limiter.decide(get("/").from("203.0.113.100"));
        assertThat(blocked.allowed()).isFalse();
        assertThat(blocked.retryAfter()).isEmpty();
        assertThat(allowed(100, get("/").from("203.0.113.50"))).isEqualTo(100);
        assertThat(allowed(100, get("/").from("203.0.113.51"))).isEqualTo(60);
    }

    @Test
    void stepsOfTheWallClockChangeNothing() {
        enforce("- { name: ten, limits: [10/m] }");
        assertThat(allowed(3, get("/"))).isEqualTo(3);
        time.stepWallClock(Duration.ofDays(-2));
        assertThat(allowed(8, get("/"))).isEqualTo(7);
        assertThat(limiter.decide(get("/")).retryAfter()).contains(Duration.ofSeconds(6));
        assertThat(allowed(10, get("/").from("192.0.2.2"))).isEqualTo(10);
        time.stepWallClock(Duration.ofHours(1));
        assertThat(allowed(20, get("/").from("192.0.2.2"))).isZero();
    }

    @Test
    void exactlyTheCapacityPassesHoweverManyThreadsAsk() throws Exception {
        enforce("""
                - { name: a, limits: [100/h, 200/d] }
                - { name: b, match: { path: /x }, limits: [150/h] }
                """);
        ExecutorService threads = Executors.newFixedThreadPool(16);
        CountDownLatch start = new CountDownLatch(1);
        AtomicInteger passed = new AtomicInteger();
        for (int i = 0; i < 16; i++) {
            threads.execute(() -> {
                try {
                    start.await();
                } catch (InterruptedException e) {
                    return;
                }
                passed.addAndGet(allowed(50, get("/x")));
            });
        }
        start.countDown();
        threads.shutdown();
        assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        assertThat(passed).hasValue(100);
        assertThat(limiter.decide(get("/x")).limits())
                .extracting(LimitStatus::remaining)
                .containsExactly(0L, 100L, 50L);
    }

    @Test
    void whatBecomesKnownLaterIsChargedOnTopOnce() {
        enforce("""
                - { name: all, limits: [20/h] }
                - { name: exports, match: { operation: export }, limits: [3/h] }
                """);
        Decision first = limiter.decide(get("/"));
        Decision whole = limiter.extend(first, get("/").operation("export").cost(2));
        assertThat(whole.allowed()).isTrue();
        assertThat(whole.limits()).extracting(LimitStatus::policy).containsExactly("all", "exports");
        assertThat(whole.limits()).extracting(LimitStatus::remaining).containsExactly(18L, 1L);
    }

    @Test
    void aLaterRefusalGivesBackWhatWasCharged() {
        enforce("""
                - { name: all, limits: [20/h] }
                - { name: exports, match: { operation: export }, limits: [1/h] }
                """);
        limiter.extend(limiter.decide(get("/")), get("/").operation("export"));
        Decision refused = limiter.extend(limiter.decide(get("/")), get("/").operation("export"));
        assertThat(refused.allowed()).isFalse();
        assertThat(refused.decidingLimit().policy()).isEqualTo("exports");
        assertThat(limiter.decide(get("/")).remaining()).isEqualTo(18);
    }

    @Test
    void aLowerCostThatBecomesKnownLaterGivesBackTheRest() {
        enforce("- { name: all, limits: [20/h] }");
        Decision first = limiter.decide(get("/").cost(5));
        limiter.extend(first, get("/").cost(2));
        assertThat(limiter.decide(get("/").cost(0)).remaining()).isEqualTo(18);
    }

    @Test
    void aRefundGivesAllBack() {
        enforce("- { name: all, limits: [20/h, 50/d] }");
        limiter.refund(limiter.decide(get("/").cost(5)));
        assertThat(limiter.decide(get("/").cost(0)).limits())
                .extracting(LimitStatus::remaining)
                .containsExactly(20L, 50L);
    }

    @Test
    void anOverrideThatTheOperationCallsForTakesTheRulesOwnChargeBack() {
        enforce("""
                - name: all
                  limits: [20/h]
                  overrides:
                    - { when: { operation: export }, limits: [5/h] }
                    - { when: { operation: free }, unlimited: true }
                - { name: total, limits: [100/h] }
                """);
        Decision export = limiter.extend(limiter.decide(get("/")), get("/").operation("export"));
        assertThat(export.limits()).extracting(LimitStatus::remaining).containsExactlyInAnyOrder(4L, 99L);
        limiter.extend(limiter.decide(get("/")), get("/").operation("free"));
        assertThat(limiter.decide(get("/").cost(0)).limits())
                .extracting(LimitStatus::remaining)
                .containsExactly(20L, 98L);
    }

    @Test
    void whateverBreaksTheRequestPassesAndTheListenerHearsOfIt() {
        enforce("- { name: all, limits: [1/h] }");
        RequestContext broken = mock(RequestContext.class);
        when(broken.path()).thenThrow(new IllegalStateException("recycled request"));
        Decision decision = limiter.decide(broken);
        assertThat(decision.allowed()).isTrue();
        assertThat(decision.reason()).isEqualTo(Decision.Reason.FAILURE);
        verify(listener).onFailure(eq("internal"), any(IllegalStateException.class));
    }

    @Test
    void aListenerThatThrowsDoesNoHarm() {
        enforce("- { name: all, limits: [1/h] }");
        doThrow(new IllegalStateException("listener")).when(listener).onDecision(any(), any());
        assertThat(limiter.allowRequest(get("/"))).isTrue();
        assertThat(limiter.allowRequest(get("/"))).isFalse();
    }

    @Test
    void aTotalCostAboveTheCapacityIsRefusedWithoutAPromise() {
        enforce("- { name: ten, limits: [10/m] }");
        Decision refused = limiter.extend(limiter.decide(get("/")), get("/").cost(11));
        assertThat(refused.allowed()).isFalse();
        assertThat(refused.retryAfter()).isEmpty();
        assertThat(limiter.decide(get("/").cost(0)).remaining()).isEqualTo(10);
    }

    @Test
    void aRefundThrowsNothingWhateverItIsGivenAndWhateverTheStoreDoes() {
        enforce("- { name: all, limits: [20/h] }");
        assertThat(limiter.refund(mock(Decision.class)).reason()).isEqualTo(Decision.Reason.NO_LIMIT);
        assertThat(limiter.extend(mock(Decision.class), get("/")).reason()).isEqualTo(Decision.Reason.FAILURE);
        BucketStore local = new LocalBucketStore(time, 10);
        BucketStore broken = mock(BucketStore.class);
        when(broken.spend(any(), any())).thenAnswer(call -> local.spend(call.getArgument(0), call.getArgument(1)));
        when(broken.refund(any(), anyLong())).thenThrow(new IllegalStateException("shut down"));
        TokenBucketRateLimiter unlucky = limiter(broken);
        assertThat(unlucky.refund(unlucky.decide(get("/"))).reason()).isEqualTo(Decision.Reason.NO_LIMIT);
        verify(listener).onFailure(eq("store-error"), any(IllegalStateException.class));
    }

    @Test
    void halfAClassPathLetsTheRequestPass() {
        enforce("- { name: all, limits: [20/h] }");
        BucketStore broken = mock(BucketStore.class);
        when(broken.spend(any(), any())).thenThrow(new NoClassDefFoundError("missing"));
        assertThat(limiter(broken).allowRequest(get("/"))).isTrue();
    }

    @Test
    void aRequestWithoutAKeyIsToldOfEachTimeWithoutTheCostOfAStack() {
        enforce("- { name: keyed, key: \"header:X-Api-Key\", limits: [20/h] }");
        limiter.decide(get("/"));
        limiter.decide(get("/"));
        ArgumentCaptor<Throwable> causes = ArgumentCaptor.forClass(Throwable.class);
        verify(listener, times(2)).onFailure(eq("identity-missing"), causes.capture());
        assertThat(new HashSet<>(causes.getAllValues())).singleElement().satisfies(cause -> {
            assertThat(cause).hasMessageContaining("'keyed'");
            assertThat(cause.getStackTrace()).isEmpty();
        });
    }

    @Test
    void rulesWithOneKeyForTheServiceShareOneBucket() {
        enforce("- { name: global, key: service, limits: [10/h] }");
        int allowed = 0;
        for (int i = 0; i < 20; i++) {
            allowed += allowed(1, get("/").from("192.0.2." + i));
        }
        assertThat(allowed).isEqualTo(10);
        assertThat(List.of(limiter.decide(get("/")).allowed())).containsExactly(false);
    }
}
