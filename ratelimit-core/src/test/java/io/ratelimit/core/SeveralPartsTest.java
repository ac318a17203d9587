package io.ratelimit.core;

import static io.ratelimit.core.TestRequest.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.Decision;
import io.ratelimit.LimitStatus;
import io.ratelimit.RateLimitListener;
import io.ratelimit.core.bucket.FailoverBucketStore;
import io.ratelimit.core.bucket.FailureLog;
import io.ratelimit.core.bucket.LocalBucketStore;
import io.ratelimit.core.match.LimitedRule;
import io.ratelimit.core.match.RuleCharge;
import io.ratelimit.core.match.RulesCache;
import io.ratelimit.core.rules.RulesParser;
import io.ratelimit.rules.Condition;
import io.ratelimit.rules.Key;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.OnExceeded;
import io.ratelimit.rules.OnFailure;
import io.ratelimit.rules.Rule;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.RulesException;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SeveralPartsTest {

    private final ManualTimeSource time = new ManualTimeSource();
    private final RateLimitListener listener = mock(RateLimitListener.class);
    private final RulesCache rules = new RulesCache(StorePolicy.UNSET, listener);
    private final LocalBucketStore buckets = new LocalBucketStore(time, 1_000);
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private TokenBucketRateLimiter limiter = limiterOn(buckets);

    private TokenBucketRateLimiter limiterOn(BucketStore store) {
        return new TokenBucketRateLimiter(rules, store, listener, new FaultLog(SeveralPartsTest.class, time));
    }

    private void enforce(String rule) throws RulesException {
        byte[] text = ("service: shop\nrules:\n  " + rule).getBytes(StandardCharsets.UTF_8);
        rules.replace(new RulesParser().parse(new RulesDocument("rules.yaml", text, "tag", 1)));
    }

    @AfterEach
    void stop() {
        timer.shutdownNow();
    }

    private LimitedRule perMinute(String name, long tokens) {
        return limited(name, tokens, OnExceeded.REJECT, StorePolicy.UNSET);
    }

    private LimitedRule limited(String name, long tokens, OnExceeded onExceeded, StorePolicy store) {
        List<Limit> limits = List.of(Limit.of(tokens, Duration.ofMinutes(1)));
        Rule rule = new Rule(name, Condition.ALWAYS, new Key.Service(), limits, List.of(), onExceeded, store);
        return rules.limited(rule, "shop", 1).orElseThrow();
    }

    private static List<RuleCharge> charge(LimitedRule rule, String user, long cost) {
        return List.of(rule.charge(ClientIdentifier.of("user", user), cost));
    }

    private static JointPart spend(LimitedRule rule, String user, long cost) {
        return new JointPart(charge(rule, user, cost), true);
    }

    private static JointPart look(LimitedRule rule, String user, long cost) {
        return new JointPart(charge(rule, user, cost), false);
    }

    private JointDecision decide(JointPart... parts) {
        return limiter.decideJointly(get("/"), List.of(parts), Long::sum)
                .toCompletableFuture()
                .join();
    }

    private static List<Long> remaining(JointDecision decision) {
        return decision.parts().stream().map(Decision::remaining).toList();
    }

    private static List<Boolean> allowed(JointDecision decision) {
        return decision.parts().stream().map(Decision::allowed).toList();
    }

    @Test
    void eachPartIsToldOfItsOwnLimits() {
        JointDecision decision = decide(
                spend(perMinute("one", 5), "alice", 1),
                new JointPart(List.of(), true),
                spend(perMinute("two", 9), "alice", 4));

        assertThat(decision.whole().allowed()).isTrue();
        assertThat(remaining(decision)).containsExactly(4L, Long.MAX_VALUE, 5L);
        assertThat(decision.parts())
                .extracting(Decision::reason)
                .containsExactly(
                        Decision.Reason.WITHIN_LIMITS, Decision.Reason.NO_LIMIT, Decision.Reason.WITHIN_LIMITS);
    }

    @Test
    void onePartThatIsRefusedLeavesTheOthersUncharged() {
        LimitedRule wide = perMinute("wide", 5);
        LimitedRule narrow = perMinute("narrow", 1);
        decide(spend(narrow, "alice", 1));

        JointDecision refused = decide(spend(wide, "alice", 1), spend(narrow, "alice", 1));

        assertThat(refused.whole().allowed()).isFalse();
        assertThat(allowed(refused)).containsExactly(true, false);
        assertThat(remaining(refused)).containsExactly(5L, 0L);
        assertThat(remaining(decide(spend(wide, "alice", 5)))).containsExactly(0L);
    }

    @Test
    void partsOfOneBucketCostTogetherWhatTheCallerSays() {
        LimitedRule rule = perMinute("rule", 9);

        assertThat(remaining(decide(spend(rule, "alice", 2), spend(rule, "alice", 3), spend(rule, "bob", 1))))
                .containsExactly(4L, 4L, 8L);
        assertThat(limiter.decideJointly(get("/"), List.of(spend(rule, "alice", 2), spend(rule, "alice", 3)), Math::max)
                        .toCompletableFuture()
                        .join()
                        .whole()
                        .remaining())
                .isEqualTo(1);
    }

    @Test
    void whatIsOnlyLookedAtIsNotChargedAndHasItsSay() {
        LimitedRule seen = perMinute("seen", 2);
        LimitedRule paid = perMinute("paid", 9);

        assertThat(remaining(decide(look(seen, "alice", 1), spend(paid, "alice", 1))))
                .containsExactly(2L, 8L);
        decide(spend(seen, "alice", 2));
        JointDecision refused = decide(look(seen, "alice", 1), spend(paid, "alice", 1));

        assertThat(refused.whole().allowed()).isFalse();
        assertThat(refused.whole().retryAfter()).contains(Duration.ofSeconds(30));
        assertThat(allowed(refused)).containsExactly(false, true);
        assertThat(remaining(refused)).containsExactly(0L, 8L);
    }

    @Test
    void theWholeIsSettledAndNoPart() {
        LimitedRule one = perMinute("one", 5);
        LimitedRule two = perMinute("two", 5);
        JointDecision decision = decide(spend(one, "alice", 3), spend(two, "alice", 3));

        assertThat(decision.parts()).allMatch(part -> !part.settlement().refund());
        assertThat(decision.whole().settlement().refund()).isTrue();
        assertThat(remaining(decide(spend(one, "alice", 5), spend(two, "alice", 5))))
                .containsExactly(0L, 0L);
    }

    @Test
    void aShadowRuleRefusesNoPart() {
        LimitedRule rule = limited("rule", 1, OnExceeded.SHADOW, StorePolicy.UNSET);

        JointDecision decision = decide(spend(rule, "alice", 2));

        assertThat(allowed(decision)).containsExactly(true);
        assertThat(decision.parts().get(0).shadowRefusals())
                .extracting(LimitStatus::policy)
                .containsExactly("rule");
    }

    @Test
    void whereTheStoreFailsEachRuleOnFailureAnswers() {
        BucketStore away = mock(BucketStore.class);
        when(away.spend(any(), any())).thenReturn(CompletableFuture.failedFuture(new StoreException("away", "away")));
        limiter = limiterOn(new FailoverBucketStore(away, buckets, timer, new FailureLog("The store", time, listener)));
        LimitedRule open = limited("open", 1, OnExceeded.REJECT, new StorePolicy(null, OnFailure.OPEN, null));
        LimitedRule closed = limited("closed", 1, OnExceeded.REJECT, new StorePolicy(null, OnFailure.CLOSED, null));

        assertThat(allowed(decide(spend(open, "alice", 1), spend(closed, "alice", 1))))
                .containsExactly(true, false);
        assertThat(allowed(decide(look(open, "alice", 1), look(closed, "alice", 1))))
                .containsExactly(true, false);
        assertThat(decide(spend(open, "alice", 1)).whole().reason()).isEqualTo(Decision.Reason.FAILURE);
    }

    @Test
    void aStoreThatThrowsLetsAllPartsPass() {
        BucketStore broken = mock(BucketStore.class);
        when(broken.spend(any(), any())).thenThrow(new IllegalStateException("broken"));
        limiter = limiterOn(broken);

        JointDecision decision = decide(spend(perMinute("one", 1), "alice", 9), spend(perMinute("two", 1), "bob", 9));

        assertThat(decision.whole().allowed()).isTrue();
        assertThat(allowed(decision)).containsExactly(true, true);
    }

    @Test
    void theListenerHearsOfOneDecision() {
        decide(spend(perMinute("one", 5), "alice", 1), spend(perMinute("two", 5), "alice", 1));

        verify(listener, times(1)).onDecision(any(), any());
    }

    @Test
    void aLookTellsWhatWouldBeDecidedAndNobodyElse() throws Exception {
        enforce("- { name: all, key: service, limits: [2/m] }");
        Decision looked = limiter.lookAsync(get("/")).toCompletableFuture().join();

        assertThat(looked.allowed()).isTrue();
        assertThat(looked.remaining()).isEqualTo(2);
        assertThat(looked.settlement().refund()).isFalse();
        verify(listener, never()).onDecision(any(), any());

        limiter.decide(get("/").cost(2));
        looked = limiter.lookAsync(get("/")).toCompletableFuture().join();
        assertThat(looked.allowed()).isFalse();
        assertThat(looked.reason()).isEqualTo(Decision.Reason.LIMIT_EXCEEDED);
        assertThat(looked.retryAfter()).contains(Duration.ofSeconds(30));
    }

    @Test
    void aLookAtAPlaceThatCountsRequestsTakesNone() throws Exception {
        enforce("- { name: all, key: service, sharing: host, limits: [{ tokens: 1, algorithm: concurrency }] }");

        for (int i = 0; i < 3; i++) {
            Decision looked = limiter.lookAsync(get("/")).toCompletableFuture().join();
            assertThat(looked.allowed()).isTrue();
            assertThat(looked.mustBeSettled()).isFalse();
        }
        assertThat(limiter.decide(get("/")).allowed()).isTrue();
        assertThat(limiter.lookAsync(get("/")).toCompletableFuture().join().allowed())
                .isFalse();
    }
}
