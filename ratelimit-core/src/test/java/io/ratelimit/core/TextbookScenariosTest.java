package io.ratelimit.core;

import static io.ratelimit.core.TestRequest.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.Decision;
import io.ratelimit.LimitStatus;
import io.ratelimit.RateLimitListener;
import io.ratelimit.RequestContext;
import io.ratelimit.core.bucket.LocalBucketStore;
import io.ratelimit.core.match.RulesCache;
import io.ratelimit.core.rules.RulesParser;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.RulesException;
import io.ratelimit.rules.StorePolicy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** The examples by which limiters are explained, with their figures. */
class TextbookScenariosTest {

    private final ManualTimeSource time = new ManualTimeSource();
    private final RateLimitListener listener = new RateLimitListener() {};
    private final RulesCache rules = new RulesCache(StorePolicy.UNSET, listener);
    private final TokenBucketRateLimiter limiter = new TokenBucketRateLimiter(
            rules, new LocalBucketStore(time, 100_000), listener, new FaultLog(TextbookScenariosTest.class, time));

    @Test
    void aBucketOfTenThatRefillsFivePerSecondLetsFiveOfTwentyPassASecondLater() {
        enforce("- { name: all, limits: [5/s burst 10] }");
        assertThat(passed(10, get("/"))).isEqualTo(10);
        time.advance(Duration.ofSeconds(1));
        assertThat(passed(20, get("/"))).isEqualTo(5);
    }

    @Test
    void ofTwoThatRaceFromFourteenOfFifteenOnePasses() throws Exception {
        enforce(
                "- name: all",
                "  limits:",
                "    - { tokens: 15, per: 1s, algorithm: fixed-window }",
                "    - { tokens: 15, per: 1m, algorithm: fixed-window }");
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (int round = 0; round < 200; round++) {
                RequestContext request = get("/").user("user-" + round);
                assertThat(passed(14, request)).isEqualTo(14);
                Callable<Integer> one = () -> passed(1, request);
                int both = 0;
                for (Future<Integer> racer : threads.invokeAll(List.of(one, one))) {
                    both += racer.get();
                }
                assertThat(both).isEqualTo(1);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void fifteenPerSecondDoNotLiftFifteenPerMinute() {
        enforce(
                "- name: all",
                "  limits:",
                "    - { tokens: 15, per: 1s, algorithm: fixed-window }",
                "    - { tokens: 15, per: 1m, algorithm: fixed-window }");
        assertThat(passed(20, get("/"))).isEqualTo(15);
        time.advance(Duration.ofSeconds(1));
        Decision refused = limiter.decide(get("/"));
        assertThat(refused.decidingLimit().policy()).isEqualTo("all:1m");
        assertThat(refused.retryAfter()).contains(Duration.ofSeconds(59));
    }

    @Test
    void fortyTwoAndEighteenFifteenSecondsInAreFortyNineAndAHalf() {
        enforce("- { name: all, limits: { tokens: 50, per: 1m, algorithm: sliding-window-counter } }");
        assertThat(passed(42, get("/"))).isEqualTo(42);
        time.advance(Duration.ofSeconds(75));
        assertThat(passed(18, get("/"))).isEqualTo(18);
        // 42 * 45 / 60 + 18 = 49.5: half a token is left, which is none
        Decision next = limiter.decide(get("/"));
        assertThat(next.allowed()).isFalse();
        assertThat(next.remaining()).isZero();
        // 0.5 tokens leave the estimate in 60 s / 42 * 0.5
        assertThat(next.retryAfter()).contains(Duration.ofNanos(714_285_715));
    }

    @Test
    void tenPerMinuteSpreadFiveHundredPerHour() {
        enforce(
                "- name: all",
                "  limits:",
                "    - { tokens: 500, per: 1h, algorithm: fixed-window }",
                "    - { tokens: 10, per: 1m, algorithm: fixed-window }");
        int passed = 0;
        for (int minute = 0; minute < 60; minute++) {
            int ofThisMinute = passed(12, get("/"));
            assertThat(ofThisMinute).isEqualTo(minute < 50 ? 10 : 0);
            passed += ofThisMinute;
            time.advance(Duration.ofMinutes(1));
        }
        assertThat(passed).isEqualTo(500);
        assertThat(passed(12, get("/"))).isEqualTo(10);
    }

    @Test
    void aHundredForEachUserStandBesideTenThousandForAll() {
        enforce("- { name: service, key: service, limits: [10000/s] }", "- { name: users, limits: [100/s] }");
        assertThat(passed(101, get("/").user("user-0"))).isEqualTo(100);
        for (int user = 1; user < 100; user++) {
            assertThat(passed(100, get("/").user("user-" + user))).isEqualTo(100);
        }
        Decision refused = limiter.decide(get("/").user("late"));
        assertThat(refused.decidingLimit().policy()).isEqualTo("service");
        assertThat(refused.limits()).extracting(LimitStatus::remaining).containsExactly(0L, 100L);
    }

    @Test
    void eachPartitionHasAHundredPerHourAndThreePerMinute() {
        enforce("- { name: partitions, key: \"attribute:partition\", limits: [100/h, 3/m] }");
        for (String partition : List.of("a", "b")) {
            assertThat(passed(5, get("/").attribute("partition", partition))).isEqualTo(3);
        }
        assertThat(limiter.decide(get("/").attribute("partition", "a"))
                        .decidingLimit()
                        .policy())
                .isEqualTo("partitions:1m");
        int passed = 3;
        for (int minute = 1; minute < 120; minute++) {
            time.advance(Duration.ofMinutes(1));
            passed += passed(5, get("/").attribute("partition", "a"));
        }
        // 100 at first, and the 199 that came back within 119 minutes and a little: never more
        assertThat(passed).isBetween(290, 100 + 100 * 119 / 60);
    }

    @Test
    void aLeakyBucketLeaksEvenlyAndNeverResetsInOneGo() {
        enforce("- { name: meter, limits: { tokens: 10, per: 30s, algorithm: leaky-bucket } }");
        time.advance(Duration.ofMillis(50));
        List<Long> remaining = new ArrayList<>();
        for (int i = 0; i <= 10; i++) {
            remaining.add(limiter.decide(get("/")).remaining());
            time.advance(Duration.ofSeconds(1));
        }
        assertThat(remaining).containsExactly(9L, 8L, 7L, 7L, 6L, 5L, 5L, 4L, 3L, 3L, 2L);
    }

    @Test
    void aLeakyBucketThatIsAskedTooOftenPassesItsRateAndNoBurst() {
        enforce("- { name: meter, limits: { tokens: 3, per: 1s, algorithm: leaky-bucket } }");
        List<Integer> passedAt = new ArrayList<>();
        for (int tenths = 0; tenths < 100; tenths++) {
            Decision decision = limiter.decide(get("/"));
            assertThat(decision.remaining()).isBetween(0L, 3L);
            if (decision.allowed()) {
                passedAt.add(tenths);
            }
            time.advance(Duration.ofMillis(100));
        }
        assertThat(passedAt.size()).isBetween(30, 33);
        for (int begin = 10; begin < 90; begin++) {
            int from = begin;
            assertThat(passedAt.stream().filter(tenths -> tenths >= from && tenths < from + 10))
                    .hasSizeLessThanOrEqualTo(4);
        }
    }

    private int passed(int requests, RequestContext request) {
        int passed = 0;
        for (int i = 0; i < requests; i++) {
            passed += limiter.allowRequest(request) ? 1 : 0;
        }
        return passed;
    }

    private void enforce(String... lines) {
        String text = "service: test\nrules:\n  " + String.join("\n  ", lines);
        try {
            byte[] content = text.getBytes(StandardCharsets.UTF_8);
            rules.replace(new RulesParser().parse(new RulesDocument("rules.yaml", content, "tag", 1)));
        } catch (RulesException e) {
            throw new AssertionError(e);
        }
    }
}
