package io.ratelimit.core;

import static io.ratelimit.core.TestRequest.get;
import static io.ratelimit.core.TestRequest.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.ratelimit.Decision;
import io.ratelimit.LimitStatus;
import io.ratelimit.RateLimitListener;
import io.ratelimit.RateLimiter;
import io.ratelimit.RequestContext;
import io.ratelimit.core.bucket.LocalBucketStore;
import io.ratelimit.core.extension.Extensions;
import io.ratelimit.core.match.BucketFinder;
import io.ratelimit.core.match.RulesCache;
import io.ratelimit.core.match.StoreDefaults;
import io.ratelimit.core.rules.RulesParser;
import io.ratelimit.rules.RuleSet;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.StorePolicy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The short way to this host's buckets decides nothing else than the long way does. */
class DirectDecisionTest {

    private static final List<String> LIMITS = List.of(
            "[5/m]",
            "[5/m, 40/h]",
            "[3/s, 20/m, 100/h]",
            "[7 per 10s burst 20]",
            "[10/m, 720/h burst 30]",
            "[{ tokens: 6, per: 1m, algorithm: sliding-window-log }]");

    private final ManualTimeSource time = new ManualTimeSource(99);
    private final Random random = new Random(815);
    private long version;

    /** A limiter with rules and buckets of its own. */
    private final class Side {

        private final RulesCache rules;
        private final TokenBucketRateLimiter limiter;

        Side(boolean direct, boolean isHeard, int maxBuckets) {
            LocalBucketStore store = new LocalBucketStore(time, maxBuckets);
            RateLimitListener listener = new RateLimitListener() {};
            rules = new RulesCache(
                    new StoreDefaults(StorePolicy.UNSET, StorePolicy.BUILT_IN),
                    listener,
                    direct ? store::bucketsOf : BucketFinder.NONE,
                    Extensions.none());
            limiter = new TokenBucketRateLimiter(
                    rules, store, DecisionWatch.of(listener, isHeard), new FaultLog(DirectDecisionTest.class, time));
        }
    }

    private RuleSet rules() {
        String text = """
                service: test
                clients: ["header:X-Key", user, ip]
                exempt: [{ path: /health }]
                costs: [{ path: "/reports/**", cost: 3 }, { path: "/**", cost: 1 }, { path: /free, cost: 0 }]
                rules:
                  - { name: api, match: { path: /api/** }, limits: %s }
                  - name: reports
                    match: { path: "/reports/**" }
                    limits: %s
                    overrides:
                      - { when: { user: carol }, limits: %s }
                      - { when: { path: /reports/open }, limits: unlimited }
                  - { name: posts, match: { path: /posts, methods: [POST] }, limits: %s }
                  - { name: all, match: { path: "/*" }, key: service, limits: [50/s, 900/m] }
                """.formatted(limits(), limits(), limits(), limits());
        return parse(text);
    }

    private RuleSet parse(String text) {
        try {
            return new RulesParser()
                    .parse(new RulesDocument("rules.yaml", text.getBytes(StandardCharsets.UTF_8), "tag", ++version));
        } catch (Exception e) {
            throw new AssertionError(text, e);
        }
    }

    private String limits() {
        return LIMITS.get(random.nextInt(LIMITS.size()));
    }

    private TestRequest randomRequest() {
        String path =
                choose("/api/orders/7", "/api/x", "/reports/1", "/reports/open", "/posts", "/health", "/free", "/a/b");
        TestRequest request = request(choose("GET", "POST", "HEAD"), path);
        request = random.nextInt(4) == 0 ? request.cost(random.nextInt(8)) : request;
        request = random.nextBoolean()
                ? request.user(choose("alice", "bob", "carol", "Łukasz", "x".repeat(90)))
                : request;
        return random.nextInt(5) == 0 ? request.header("X-Key", choose("k1", " ", "k2")) : request;
    }

    private String choose(String... texts) {
        return texts[random.nextInt(texts.length)];
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void sameAnswersForTheSameRequests(int seed) {
        random.setSeed(seed);
        Side direct = new Side(true, false, 100_000);
        Side plain = new Side(false, true, 100_000);
        List<Decision[]> open = new ArrayList<>();
        for (int i = 0; i < 6_000; i++) {
            if (i % 1_000 == 0) {
                RuleSet rules = rules();
                direct.rules.replace(rules);
                plain.rules.replace(rules);
            }
            time.advance(Duration.ofMillis(random.nextInt(10) == 0 ? random.nextInt(20_000) : random.nextInt(300)));
            TestRequest request = randomRequest();
            if (random.nextInt(3) == 0) {
                assertThat(direct.limiter.allowRequest(request))
                        .as("%s: %s", i, request)
                        .isEqualTo(plain.limiter.allowRequest(request));
            } else {
                Decision[] both = {direct.limiter.decide(request), plain.limiter.decide(request)};
                assertSame(i + ": " + request, both);
                open.add(both);
            }
            settleSome(open, direct, plain);
        }
    }

    @ParameterizedTest
    @CsvSource({"open, true", "local, true", "closed, false"})
    void theRuleAnswersForNewcomersOfAFullTable(String onFailure, boolean passes) {
        Side direct = new Side(true, false, 1);
        direct.rules.replace(parse("""
                service: test
                clients: [user]
                onFailure: %s
                rules:
                  - { name: all, limits: [5/h, 9/d] }
                """.formatted(onFailure)));
        assertThat(direct.limiter.allowRequest(get("/").user("alice"))).isTrue();
        assertThat(direct.limiter.allowRequest(get("/").user("bob"))).isEqualTo(passes);
        assertThat(direct.limiter.decide(get("/").user("carol")).allowed()).isEqualTo(passes);
        assertThat(direct.limiter.decide(get("/").user("carol")).reason()).isEqualTo(Decision.Reason.FAILURE);
        assertThat(direct.limiter.decide(get("/").user("alice")).remaining()).isEqualTo(3);
    }

    @Test
    void aVerdictIsFoundWithoutAListenerHearingOfIt() {
        Side direct = new Side(true, false, 100);
        direct.rules.replace(parse("service: test\nrules: [{ name: all, key: service, limits: [2/h] }]"));
        assertThat(direct.limiter.allowRequest(get("/"))).isTrue();
        assertThat(direct.limiter.decide(get("/")).remaining()).isZero();
        assertThat(direct.limiter.allowRequest(get("/"))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {-2, -100, Long.MIN_VALUE, Long.MIN_VALUE + 1})
    void aNegativeCostIsAFaultOfTheRequest(long cost) {
        Side direct = new Side(true, false, 100);
        direct.rules.replace(parse("service: test\nrules: [{ name: all, key: service, limits: [1/h, 2/d] }]"));
        assertThat(direct.limiter.allowRequest(get("/"))).isTrue();
        Decision decision = direct.limiter.decide(get("/").cost(cost));
        assertThat(decision.reason()).isEqualTo(Decision.Reason.FAILURE);
        assertThat(decision.settlement().refund()).isFalse();
        assertThat(direct.limiter.allowRequest(get("/").cost(cost))).isTrue();
        assertThat(direct.limiter.allowRequest(get("/"))).isFalse();
    }

    @Test
    void bucketsAreLookedUpOnceARequestIsDecidedByThem() {
        LocalBucketStore store = new LocalBucketStore(time, 100);
        List<String> lookedUp = new ArrayList<>();
        BucketFinder counting = spec -> {
            lookedUp.add(spec.name());
            return store.bucketsOf(spec);
        };
        RateLimitListener listener = new RateLimitListener() {};
        RulesCache rules = new RulesCache(
                new StoreDefaults(StorePolicy.UNSET, StorePolicy.BUILT_IN), listener, counting, Extensions.none());
        RateLimiter limiter = new TokenBucketRateLimiter(
                rules, store, DecisionWatch.of(listener, false), new FaultLog(DirectDecisionTest.class, time));
        rules.replace(parse("""
                service: test
                rules:
                  - { name: one, match: { path: /one }, key: service, limits: [1/h] }
                  - { name: other, match: { path: /other }, key: service, limits: [1/h] }
                """));
        assertThat(lookedUp).isEmpty();
        assertThat(limiter.allowRequest(get("/one"))).isTrue();
        assertThat(limiter.allowRequest(get("/one"))).isFalse();
        assertThat(lookedUp).containsExactly("one");
    }

    /** Their states are too many for a slot. */
    @Test
    void aRuleOfMoreThanSixteenLimitsCountsLikeAnyOther() {
        Side direct = new Side(true, false, 100);
        String limits = IntStream.rangeClosed(1, 20)
                .mapToObj(minutes -> "5 per " + minutes + "m")
                .collect(Collectors.joining(", "));
        direct.rules.replace(parse("service: test\nclients: [user]\nrules: [{ name: all, limits: [" + limits + "] }]"));
        long passed = IntStream.range(0, 90 * 9)
                .filter(i -> direct.limiter.allowRequest(get("/").user("user-" + i % 90)))
                .count();
        assertThat(passed).isEqualTo(90 * 5);
        assertThat(direct.limiter.decide(get("/").user("user-7")).retryAfter()).contains(Duration.ofMinutes(4));
    }

    @Test
    void whatARequestThrowsLetsItPass() {
        Side direct = new Side(true, false, 100);
        direct.rules.replace(parse("service: test\nclients: [user]\nrules: [{ name: all, limits: [1/h] }]"));
        RequestContext broken = mock(RequestContext.class);
        when(broken.path()).thenReturn("/");
        when(broken.user()).thenThrow(new IllegalStateException("recycled request"));
        assertThat(direct.limiter.allowRequest(broken)).isTrue();
        assertThat(direct.limiter.allowRequest(broken)).isTrue();
    }

    private void settleSome(List<Decision[]> open, Side direct, Side plain) {
        if (open.size() < 20) {
            return;
        }
        Decision[] both = open.remove(random.nextInt(open.size()));
        long cost = random.nextInt(6);
        TestRequest more = randomRequest().cost(cost);
        switch (random.nextInt(5)) {
            case 0 ->
                assertThat(both[0].settlement().refund())
                        .isEqualTo(both[1].settlement().refund());
            case 1 ->
                assertThat(both[0].settlement().confirm(cost))
                        .isEqualTo(both[1].settlement().confirm(cost));
            case 2 ->
                assertThat(both[0].settlement().complete(404))
                        .isEqualTo(both[1].settlement().complete(404));
            case 3 ->
                assertSame(
                        "extended by " + more,
                        new Decision[] {direct.limiter.extend(both[0], more), plain.limiter.extend(both[1], more)});
            default -> {}
        }
    }

    private static void assertSame(String what, Decision... both) {
        assertThat(both[0].allowed()).as(what).isEqualTo(both[1].allowed());
        assertThat(both[0].reason()).as(what).isEqualTo(both[1].reason());
        assertThat(texts(both[0].limits())).as(what).isEqualTo(texts(both[1].limits()));
        assertThat(visited(both[0])).as(what).isEqualTo(visited(both[1]));
        assertThat(both[0].retryAfter()).as(what).isEqualTo(both[1].retryAfter());
        assertThat(both[0].remaining()).as(what).isEqualTo(both[1].remaining());
        assertThat(both[0].mustBeSettled()).as(what).isEqualTo(both[1].mustBeSettled());
        assertThat(both[0].decidingLimit() == null ? null : text(both[0].decidingLimit()))
                .as(what)
                .isEqualTo(both[1].decidingLimit() == null ? null : text(both[1].decidingLimit()));
    }

    private static List<String> texts(List<LimitStatus> limits) {
        return limits.stream().map(DirectDecisionTest::text).toList();
    }

    private static String text(LimitStatus status) {
        return status.policy() + " " + status.limit() + " " + status.state();
    }

    private static List<String> visited(Decision decision) {
        List<String> visited = new ArrayList<>();
        decision.forEachLimit((limit, policy, state) -> visited.add(policy + " " + limit + " " + state));
        return visited;
    }
}
