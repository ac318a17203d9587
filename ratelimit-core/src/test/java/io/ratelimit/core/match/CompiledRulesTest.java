package io.ratelimit.core.match;

import static io.ratelimit.core.TestRequest.get;
import static io.ratelimit.core.TestRequest.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.RequestContext;
import io.ratelimit.core.extension.Extensions;
import io.ratelimit.core.rules.RulesParser;
import io.ratelimit.rules.OnFailure;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.RulesException;
import io.ratelimit.rules.Sharing;
import io.ratelimit.rules.StorePolicy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CompiledRulesTest {

    private static final String RULES = """
            service: orders
            clients: [user, ip]
            exempt:
              - { path: /health }
              - { ip: 192.0.2.128/25, methods: [GET] }
            costs:
              - { path: /api/**, cost: 2 }
              - { path: /api/reports/**, methods: [GET], cost: 10 }
              - { path: /api/exact, cost: 3 }
              - { path: /api/exact/**, cost: 4 }
              - { path: "/api/{kind}/free", cost: 0 }
              - { operation: export, cost: 7 }
            rules:
              - name: everyone
                match: { path: /api/** }
                limits: [20/s burst 40, 500/h]
                overrides:
                  - { when: { attributes: { tier: gold } }, limits: [200/s] }
                  - { when: { user: ops }, unlimited: true }
              - name: writes
                match: { path: [/api/orders, /api/items/**], methods: [POST, DELETE] }
                key: user
                limits: [5/m]
              - name: exports
                match: { operation: export }
                limits: [2/m]
            """;

    private static CompiledRules compile(String rules) {
        try {
            byte[] content = rules.getBytes(StandardCharsets.UTF_8);
            return new CompiledRules(
                    new RulesParser().parse(new RulesDocument("rules.yaml", content, "tag", 7)),
                    List.of(),
                    StoreDefaults.of(StorePolicy.UNSET),
                    BucketFinder.NONE,
                    Extensions.none());
        } catch (RulesException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void rulesForRecordedRequestsChargeAsThoseOfAHostWithoutExtensions() throws RulesException {
        CompiledRules rules = CompiledRules.of(new RulesParser()
                .parse(new RulesDocument("rules.yaml", RULES.getBytes(StandardCharsets.UTF_8), "tag", 7)));
        RequestContext request = get("/api/orders").user("alice");

        assertThat(rules.chargesFor(request).charges())
                .isEqualTo(compile(RULES).chargesFor(request).charges())
                .hasSize(1);
    }

    private static List<String> names(RequestContext request) {
        return compile(RULES).chargesFor(request).charges().stream()
                .map(charge -> charge.rule().rule().name())
                .toList();
    }

    private static long cost(RequestContext request) {
        return compile(RULES).chargesFor(request).charges().get(0).charge().cost();
    }

    @Test
    void everyRuleThatMatchesApplies() {
        assertThat(names(request("POST", "/api/orders").user("ann"))).containsExactly("everyone", "writes");
        assertThat(names(get("/api/orders").user("ann"))).containsExactly("everyone");
        assertThat(names(get("/elsewhere"))).isEmpty();
    }

    @Test
    void aRuleThatNamesAnOperationWaitsUntilItIsKnown() {
        assertThat(names(get("/x"))).isEmpty();
        assertThat(names(get("/x").operation("export"))).containsExactly("exports");
        assertThat(names(get("/x").operation("import"))).isEmpty();
    }

    @Test
    void aRuleWhoseKeyCannotBeBuiltDoesNotApplyAndIsNamed() {
        RequestCharges charges = compile(RULES).chargesFor(request("POST", "/api/orders"));
        assertThat(charges.charges()).hasSize(1);
        assertThat(charges.unidentified()).extracting(rule -> rule.name()).containsExactly("writes");
    }

    @Test
    void headCountsAsGetAndNoSpellingOfAMethodSlipsPast() {
        CompiledRules rules = compile("""
                service: s
                rules: [{ name: reads, match: { methods: [HEAD] }, limits: [1/s] }]
                """);
        for (String method : List.of("GET", "HEAD", "get", "Head")) {
            assertThat(rules.chargesFor(request(method, "/")).charges()).hasSize(1);
        }
        assertThat(rules.chargesFor(request("POST", "/")).charges()).isEmpty();
    }

    @Test
    void exemptRequestsMeetNoRule() {
        assertThat(names(get("/health"))).isEmpty();
        assertThat(names(get("/api/x").from("192.0.2.200"))).isEmpty();
        assertThat(names(request("POST", "/api/x").from("192.0.2.200"))).containsExactly("everyone");
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /api/x, 2",
        "GET, /api/reports/2026, 10",
        "HEAD, /api/reports/2026, 10",
        "POST, /api/reports/2026, 2",
        "GET, /api/reports/free, 10",
        "GET, /api/exact, 3",
        "GET, /api/exact/, 3",
        "GET, /api/exact/more, 4",
        "GET, /api/orders/free, 0"
    })
    void theMostSpecificPathNamesTheCost(String method, String path, long cost) {
        assertThat(cost(request(method, path))).isEqualTo(cost);
    }

    @Test
    void theApplicationsOwnCostReplacesThoseOfTheFile() {
        assertThat(cost(get("/api/reports/1").cost(3))).isEqualTo(3);
        assertThat(cost(get("/x").operation("export"))).isEqualTo(7);
    }

    @Test
    void theFirstOverrideThatFitsSetsTheLimits() {
        CompiledRules rules = compile(RULES);
        var gold = rules.chargesFor(get("/api/x").attribute("tier", "gold")).charges();
        assertThat(gold.get(0).rule().bucket().limits()).hasToString("[200 per 1s]");
        assertThat(gold.get(0).rule().bucket().name()).startsWith("everyone/");
        assertThat(rules.chargesFor(get("/api/x").user("ops")).charges()).isEmpty();
        assertThat(rules.chargesFor(get("/api/x").user("ops").attribute("tier", "gold"))
                        .charges())
                .hasSize(1);
    }

    @Test
    void anOverrideHoldsForItsPathsOnly() {
        CompiledRules rules = compile("""
                service: s
                rules:
                  - name: all
                    limits: [1/s]
                    overrides: [{ when: { path: [/a/*, /b], methods: [GET] }, unlimited: true }]
                """);
        for (String path : List.of("/a/x", "/b")) {
            assertThat(rules.chargesFor(get(path)).charges()).isEmpty();
            assertThat(rules.chargesFor(request("POST", path)).charges()).hasSize(1);
        }
        assertThat(rules.chargesFor(get("/a")).charges()).hasSize(1);
    }

    @Test
    void severalLimitsAreToldApartByTheirPeriod() {
        var charges = compile(RULES).chargesFor(get("/api/x")).charges();
        assertThat(charges.get(0).rule().policies()).containsExactly("everyone:1s", "everyone:1h");
        assertThat(compile(RULES)
                        .chargesFor(get("/x").operation("export"))
                        .charges()
                        .get(0)
                        .rule()
                        .policies())
                .containsExactly("exports");
    }

    @Test
    void theHostsDefaultsStandBetweenTheRuleAndTheFile() throws Exception {
        byte[] content = """
                service: s
                sharing: host
                onFailure: open
                rules:
                  - { name: own, limits: [1/s], onFailure: closed }
                  - { name: plain, limits: [1/s] }
                """.getBytes(StandardCharsets.UTF_8);
        CompiledRules rules = new CompiledRules(
                new RulesParser().parse(new RulesDocument("rules.yaml", content, "tag", 1)),
                List.of(),
                StoreDefaults.of(new StorePolicy(null, OnFailure.LOCAL, Duration.ofMillis(5))),
                BucketFinder.NONE,
                Extensions.none());
        var charges = rules.chargesFor(get("/")).charges();
        assertThat(charges.get(0).charge().bucket().policy())
                .isEqualTo(new StorePolicy(Sharing.HOST, OnFailure.CLOSED, Duration.ofMillis(5)));
        assertThat(charges.get(1).charge().bucket().policy())
                .isEqualTo(new StorePolicy(Sharing.HOST, OnFailure.LOCAL, Duration.ofMillis(5)));
    }

    @Test
    void aRuleOfTwoPathsThatBothMatchAppliesOnce() {
        CompiledRules rules = compile("""
                service: s
                rules: [{ name: twice, match: { path: [/a/**, "/**/b"] }, limits: [1/s] }]
                """);
        assertThat(rules.chargesFor(get("/a/b")).charges()).hasSize(1);
    }

    @Test
    void tenThousandRulesAreFoundByTheirPaths() {
        String rules = "service: s\nrules:\n"
                + IntStream.range(0, 10_000)
                        .mapToObj(i -> "  - { name: r" + i + ", match: { path: /p" + i + "/* }, limits: [1/s] }\n")
                        .collect(Collectors.joining());
        CompiledRules compiled = compile(rules);
        assertThat(compiled.chargesFor(get("/p4711/x")).charges())
                .extracting(charge -> charge.rule().rule().name())
                .containsExactly("r4711");
    }
}
