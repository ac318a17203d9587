package io.ratelimit.core.report;

import static io.ratelimit.core.TestRequest.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.RulesText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DecisionCountsTest {

    private static final String RULES = """
            service: orders
            exempt: [{ path: /health }]
            rules:
              - { name: api, match: { path: /api }, limits: [3/h] }
              - { name: trial, match: { path: /trial }, limits: [1/h, 2/d], onExceeded: shadow }
              - { name: both, match: { path: /api }, key: service, limits: [100/h] }
            """;

    private static RateLimitEngine engine(DecisionCounts counts, String rules) {
        RateLimitEngine engine = RateLimitEngine.builder()
                .rules(new RulesText(rules))
                .listener(counts)
                .setting("logRefusals", "0")
                .timeSource(new ManualTimeSource())
                .build();
        engine.start();
        return engine;
    }

    @Test
    void decisionsAreCountedByTheRuleThatDecidesAndShadowRefusalsBeside() {
        DecisionCounts counts = new DecisionCounts(ReportDetail.ALL);
        try (RateLimitEngine engine = engine(counts, RULES)) {
            counts.want(true);
            for (int i = 0; i < 5; i++) {
                engine.limiter().decide(get("/api"));
                engine.limiter().decide(get("/trial"));
                engine.limiter().allowRequest(get("/health"));
            }
        }
        assertThat(counts.nextByRule(name -> true))
                .containsOnly(
                        Map.entry("api", new RuleCounts(3, 2, 0)),
                        Map.entry("trial", new RuleCounts(0, 0, 4)),
                        Map.entry("(none)", new RuleCounts(10, 0, 0)));
        assertThat(counts.nextByRule(name -> true)).isEmpty();
        assertThat(counts.nextRefusedClients())
                .containsExactly(Map.entry(new RefusedClient("api", ClientIdentifier.of("ip", "192.0.2.1")), 2L));
        assertThat(counts.nextRefusedClients()).isEmpty();
    }

    @Test
    void nothingIsCountedThatNobodyWants() {
        DecisionCounts counts = new DecisionCounts(ReportDetail.ALL);
        try (RateLimitEngine engine = engine(counts, RULES)) {
            engine.limiter().decide(get("/api"));
        }
        assertThat(counts.nextByRule(name -> true)).isEmpty();
    }

    @Test
    void countsAloneNameNoClient() {
        DecisionCounts counts = new DecisionCounts(ReportDetail.COUNTS);
        counts.want(true);
        try (RateLimitEngine engine = engine(counts, RULES)) {
            for (int i = 0; i < 5; i++) {
                engine.limiter().decide(get("/api"));
            }
        }
        assertThat(counts.nextByRule(name -> true)).containsEntry("api", new RuleCounts(3, 2, 0));
        assertThat(counts.nextRefusedClients()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = ReportDetail.class,
            names = {"ALL", "COUNTS"})
    void noCountIsLostWhileManyDecideAndAReportIsMade(ReportDetail detail) throws Exception {
        DecisionCounts counts = new DecisionCounts(detail);
        counts.want(true);
        int threads = 4;
        int each = 50_000;
        Map<String, RuleCounts> sums = new HashMap<>();
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try (RateLimitEngine engine = engine(counts, RULES)) {
            List<Future<?>> deciding = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                deciding.add(pool.submit(() -> {
                    for (int i = 0; i < each; i++) {
                        engine.limiter().decide(get("/api"));
                    }
                }));
            }
            while (deciding.stream().anyMatch(one -> !one.isDone())) {
                add(counts.nextByRule(name -> true), sums);
            }
            for (Future<?> one : deciding) {
                one.get();
            }
            add(counts.nextByRule(name -> true), sums);
        } finally {
            pool.shutdownNow();
        }
        assertThat(sums).containsExactly(Map.entry("api", new RuleCounts(3, threads * each - 3, 0)));
    }

    private static void add(Map<String, RuleCounts> more, Map<String, RuleCounts> sums) {
        more.forEach((name, counts) -> sums.merge(
                name,
                counts,
                (one, other) -> new RuleCounts(
                        one.allowed() + other.allowed(),
                        one.refused() + other.refused(),
                        one.shadow() + other.shadow())));
    }

    @Test
    void ofVeryManyRulesTheLastAreCountedTogetherUntilOthersAreGone() {
        StringBuilder rules = new StringBuilder("service: orders\nrules:\n");
        int all = DecisionCounts.MOST_RULES + 10;
        IntStream.range(0, all)
                .forEach(i -> rules.append("  - { name: r")
                        .append(i)
                        .append(", match: { path: /p")
                        .append(i)
                        .append(" }, limits: [9/h] }\n"));
        DecisionCounts counts = new DecisionCounts(ReportDetail.ALL);
        counts.want(true);
        try (RateLimitEngine engine = engine(counts, rules.toString())) {
            for (int i = 0; i < all; i++) {
                engine.limiter().decide(get("/p" + i));
            }
            assertThat(counts.nextByRule(name -> true))
                    .hasSize(DecisionCounts.MOST_RULES + 1)
                    .containsEntry(DecisionCounts.OTHER_RULES, new RuleCounts(10, 0, 0));

            counts.nextByRule(name -> false);
            engine.limiter().decide(get("/p" + (all - 1)));
            assertThat(counts.nextByRule(name -> true))
                    .containsExactly(Map.entry("r" + (all - 1), new RuleCounts(1, 0, 0)));
        }
    }

    @Test
    void whoIsRefusedMostIsFoundInAFloodOfClientsThatAreRefusedOnce() {
        RefusedClients clients = new RefusedClients();
        for (int i = 0; i < 20_000; i++) {
            clients.count("api", ClientIdentifier.of("ip", "client " + i));
            if (i % 20 == 0) {
                clients.count("api", ClientIdentifier.of("user", "alice"));
            }
            if (i % 50 == 0) {
                clients.count("api", ClientIdentifier.of("user", "bob"));
            }
        }
        Map<RefusedClient, Long> most = clients.next();
        assertThat(most).hasSizeLessThanOrEqualTo(RefusedClients.MOST_TOLD);
        assertThat(most.keySet().stream().limit(2).map(RefusedClient::client))
                .containsExactly(ClientIdentifier.of("user", "alice"), ClientIdentifier.of("user", "bob"));
        assertThat(most.values().stream().limit(2)).containsExactly(1_000L, 400L);
        assertThat(most.values().stream().skip(2)).allMatch(times -> times == 1);
    }
}
