package io.ratelimit.core.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.ratelimit.RateLimitListener;
import io.ratelimit.RequestContext;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.QueryParameterCost;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.store.BucketStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExplanationTest {

    private static final String RULES = """
            service: s
            clients: [user, "header:X-Api-Key", ip]
            exempt: [{ path: /health }]
            costs: [{ path: /api/reports, cost: 10 }, { path: /api/**, methods: PUT, cost: 100 }]
            rules:
              - name: everyone
                match: { path: /api/** }
                limits: [20/s burst 40, 500/h]
                overrides:
                  - { when: { attributes: { tier: gold } }, limits: 200/s }
                  - { when: { user: ops }, unlimited: true }
              - { name: writes, match: { path: /api/**, methods: [POST, PUT] }, key: ip, limits: 3/m }
              - { name: exports, match: { operation: export }, key: [user, ip], limits: 2/m }
              - { name: inside, match: { ip: 10.0.0.0/8 }, limits: "0" }
            """;

    private final ManualTimeSource time = new ManualTimeSource();
    private final RateLimitListener listener = mock(RateLimitListener.class);

    @TempDir
    private Path directory;

    private RateLimitEngine engine;

    @BeforeEach
    void start() throws IOException {
        Path file = Files.writeString(directory.resolve("rules.yaml"), RULES);
        engine = RateLimitEngine.builder()
                .rules(file.toString())
                .timeSource(time)
                .listener(listener)
                .build();
        engine.start();
    }

    @AfterEach
    void stop() {
        engine.close();
    }

    private Explanation explain(String request) {
        return engine.explain(DescribedRequest.parse(request));
    }

    private RuleExplanation rule(String name, String request) {
        return explain(request).rules().stream()
                .filter(rule -> rule.rule().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void readsAsAFewLinesForEachRule() {
        engine.limiter().decide(DescribedRequest.parse("GET /api/orders ip=192.0.2.7"));
        assertThat(explain("GET /api/orders ip=192.0.2.7")).hasToString("""
                GET /api/orders
                rule everyone: applies (path /api/** matches /api/orders). key: ip 192.0.2.7 (user, header:X-Api-Key missing). cost 1 (default).
                  overrides[0]: not chosen (attribute tier is unknown, not gold)
                  overrides[1]: not chosen (user is unknown, not ops)
                  limit 20 per 1s burst 40: 39 left, passes
                  limit 500 per 1h: 499 left, passes
                rule writes: does not apply (method GET is not [POST, PUT]).
                rule exports: does not apply (operation is unknown, not export).
                rule inside: does not apply (address 192.0.2.7 is not in 10.0.0.0/8).
                outcome: passes, within all limits""");
    }

    @Test
    void aRefusalNamesTheLimitWithTheLongestWaitAndTheTimeAfterWhichARetryPasses() {
        RequestContext post = DescribedRequest.parse("POST /api/orders ip=192.0.2.7");
        for (int i = 0; i < 3; i++) {
            assertThat(engine.limiter().allowRequest(post)).isTrue();
        }
        Explanation refused = engine.explain(post);
        assertThat(refused.allowed()).isFalse();
        assertThat(refused.outcome()).isEqualTo("refused by writes, retry in 20s");
        time.advance(Duration.ofSeconds(20).minusNanos(1));
        assertThat(engine.explain(post).allowed()).isFalse();
        time.advanceNanos(1);
        assertThat(engine.explain(post).allowed()).isTrue();
        assertThat(engine.limiter().allowRequest(post)).isTrue();
    }

    @Test
    void chargesNothingAndCallsNoListener() {
        for (int i = 0; i < 100; i++) {
            assertThat(explain("POST /api/orders ip=192.0.2.7").allowed()).isTrue();
        }
        verify(listener, never()).onDecision(any(), any());
        verify(listener, never()).onFailure(any(), any());
        assertThat(rule("writes", "POST /api/orders ip=192.0.2.7").limits())
                .singleElement()
                .satisfies(limit -> assertThat(limit.remaining()).isEqualTo(3));
    }

    @Test
    void anExemptRequestMeetsNoRule() {
        Explanation explanation = explain("GET /health ip=10.0.0.1");
        assertThat(explanation.exempt()).isEqualTo("exempt[0] (path /health matches /health)");
        assertThat(explanation.rules()).noneMatch(RuleExplanation::applies);
        assertThat(explanation.outcome()).isEqualTo("passes, since it is exempt");
    }

    @Test
    void saysWhichOverrideIsChosenAndWhyNotTheEarlierOnes() {
        RuleExplanation gold = rule("everyone", "GET /api/x ip=192.0.2.7 attribute:tier=gold");
        assertThat(gold.overrides()).containsExactly("overrides[0]: chosen (attribute tier is 'gold')");
        assertThat(gold.limits())
                .singleElement()
                .satisfies(limit -> assertThat(limit.limit()).hasToString("200 per 1s"));
        RuleExplanation ops = rule("everyone", "GET /api/x user=ops attribute:tier=silver");
        assertThat(ops.applies()).isFalse();
        assertThat(ops.reason()).contains("overrides[1] is unlimited");
        assertThat(ops.overrides().get(0)).contains("attribute tier is 'silver', not gold");
    }

    @ParameterizedTest
    @CsvSource({
        "GET /api/orders ip=192.0.2.7, 1 (default)",
        "GET /api/reports ip=192.0.2.7, 10 (costs[0])",
        "PUT /api/reports ip=192.0.2.7, 10 (costs[0])",
        "PUT /api/orders ip=192.0.2.7, 100 (costs[1])",
        "PUT /api/reports ip=192.0.2.7 cost=7, 7 (the request's own)"
    })
    void saysWhatARequestCostsAndWhoSaysSo(String request, String cost) {
        assertThat(rule("everyone", request).cost()).isEqualTo(cost);
    }

    @Test
    void aCostThatNoWaitingCanPayIsRefusedWithoutAPromise() {
        Explanation explanation = explain("PUT /api/orders ip=192.0.2.7");
        assertThat(explanation.allowed()).isFalse();
        assertThat(explanation.outcome()).contains("no waiting helps");
        assertThat(explain("GET /x ip=10.0.0.1").outcome()).isEqualTo("refused by inside, and no waiting helps");
        assertThat(explain("GET /x ip=10.0.0.1 cost=0").allowed()).isTrue();
    }

    @Test
    void severalMissingTokensAreWaitedForUntilAllAreThere() {
        engine.limiter().decide(DescribedRequest.parse("POST /api/orders ip=192.0.2.7 cost=3"));
        assertThat(explain("POST /api/orders ip=192.0.2.7 cost=2").outcome())
                .isEqualTo("refused by writes, retry in 40s");
    }

    @Test
    void aShadowRuleWouldRefuseButNeverDecides() throws IOException {
        Path file = Files.writeString(directory.resolve("shadow.yaml"), """
                service: s
                rules: [{ name: watched, match: { path: /x }, key: ip, limits: "0", onExceeded: shadow }]
                """);
        try (RateLimitEngine shadow = RateLimitEngine.builder()
                .rules(file.toString())
                .timeSource(time)
                .build()) {
            shadow.start();
            Explanation explanation = shadow.explain(DescribedRequest.parse("GET /x ip=192.0.2.7"));
            assertThat(explanation.allowed()).isTrue();
            assertThat(explanation.toString())
                    .contains("0 left, exceeded", "it would refuse, but is a shadow rule")
                    .doesNotContain("refused by");
            assertThat(explanation.outcome()).isEqualTo("passes, since only limits of shadow rules are exceeded");
        }
    }

    @Test
    void aRuleThatLetsWaitIsNotSaidToRefuseAtOnce() throws IOException {
        Path file = Files.writeString(directory.resolve("waiting.yaml"), """
                service: s
                rules:
                  - { name: line, match: { path: /x }, key: ip, limits: 1/s, onExceeded: { queue: 3, maxWait: 5s } }
                  - { name: gone, match: { path: /y }, key: ip, limits: "0", onExceeded: drop }
                """);
        try (RateLimitEngine waiting = RateLimitEngine.builder()
                .rules(file.toString())
                .timeSource(time)
                .build()) {
            waiting.start();
            DescribedRequest request = DescribedRequest.parse("GET /x ip=192.0.2.7");
            waiting.limiter().decide(request);
            assertThat(waiting.explain(request).toString())
                    .contains("waits for its turn, for 5s at most, if one of 3 places is free")
                    .endsWith("refused by line, retry in 1s; in the servlet filter it waits instead");
            assertThat(waiting.explain(DescribedRequest.parse("GET /y ip=192.0.2.7"))
                            .toString())
                    .contains("in the servlet filter its connection is closed")
                    .endsWith("refused by gone, and no waiting helps");
        }
    }

    @Test
    void aRuleWhoseBucketsDoNotAnswerIsNotSaidToBeWithinItsLimits() throws IOException {
        BucketStore gone = mock(BucketStore.class);
        when(gone.spend(any(), any())).thenThrow(new IllegalStateException("gone"));
        Path file = Files.writeString(directory.resolve("open.yaml"), """
                service: s
                rules:
                  - { name: all, key: ip, limits: 5/s, onFailure: open }
                  - { name: watched, key: ip, limits: "0", onExceeded: shadow, sharing: host }
                """);
        try (RateLimitEngine alone = RateLimitEngine.builder()
                .rules(file.toString())
                .store(gone)
                .timeSource(time)
                .build()) {
            alone.start();
            Explanation explanation = alone.explain(DescribedRequest.parse("GET /x ip=192.0.2.7"));
            assertThat(explanation.toString()).contains("its buckets did not answer, and its onFailure lets it pass");
            assertThat(explanation.outcome()).isEqualTo("passes, since buckets did not answer");
        }
    }

    private Explanation explained(String rules, String request) throws IOException {
        Path file = Files.writeString(directory.resolve("own.yaml"), rules);
        try (RateLimitEngine own = RateLimitEngine.builder()
                .rules(file.toString())
                .costs(new QueryParameterCost("page-size", "size", 1, 100))
                .timeSource(time)
                .build()) {
            own.start();
            own.limiter().decide(DescribedRequest.parse(request + " cost=1"));
            return own.explain(DescribedRequest.parse(request));
        }
    }

    @Test
    void saysThatThereAreNoRulesYet() {
        try (RateLimitEngine idle = RateLimitEngine.builder()
                .rules(directory.resolve("missing.yaml").toString())
                .build()) {
            assertThat(idle.explain(DescribedRequest.parse("GET /x")).outcome())
                    .isEqualTo("passes, since no rules are in force yet");
        }
    }

    @Test
    void namesTheResolverOfACostAndTheLimitThatCanNeverPayIt() throws IOException {
        String text = explained("""
                service: s
                costs: [{ path: /a, resolver: page-size, cost: 1 }]
                rules: [{ name: all, key: ip, limits: 40/m }]
                """, "GET /a query:size=50 ip=192.0.2.7").toString();
        assertThat(text)
                .contains(
                        "cost 50 (costs[0], resolver page-size)",
                        "the cost of 50 is more than all ever holds",
                        "and no waiting helps");
    }

    @Test
    void doesNotSayThatNoWaitingHelpsWhereRequestsUnderWayWillEnd() throws IOException {
        String text = explained("""
                service: s
                rules: [{ name: busy, key: ip, sharing: host, limits: { tokens: 1, algorithm: concurrency } }]
                """, "GET /a ip=192.0.2.7").toString();
        assertThat(text).contains("refused by busy, until requests under way have ended");
    }

    @Test
    void saysWhatIsGivenBackUnlessTheResponseCounts() throws IOException {
        String text = explained("""
                service: s
                rules: [{ name: login, key: ip, limits: 5/d, charge: { when: response, status: [401, 5xx] } }]
                """, "GET /a ip=192.0.2.7").toString();
        assertThat(text).contains("given back unless the response has status 401, 5");
    }

    @Test
    void longWaitsAreToldInTheUnitsOfPeople() {
        assertThat(WaitText.of(Duration.ofSeconds(53_329).plusNanos(276_100_000)))
                .isEqualTo("14h 48m 49.277s");
        assertThat(WaitText.of(Duration.ofDays(2).plusMinutes(3))).isEqualTo("2d 3m");
        assertThat(WaitText.of(Duration.ofNanos(1))).isEqualTo("0.001s");
        assertThat(WaitText.of(Duration.ZERO)).isEqualTo("0s");
        assertThat(WaitText.of(Duration.ofSeconds(59).plusNanos(999_999_999))).isEqualTo("1m");
    }

    @Test
    void secretsAreNeverShown() {
        String text = explain("GET /api/x header:X-Api-Key=s3cr3t cookie:c=s3cr3t header:Authorization=s3cr3t")
                .toString();
        assertThat(text).contains("header:X-Api-Key (hidden)").doesNotContain("s3cr3t");
    }

    @Test
    void aRuleWhoseKeyIsMissingSaysWhatIsMissing() {
        RuleExplanation exports = rule("exports", "GET /x operation=export ip=192.0.2.7");
        assertThat(exports.applies()).isFalse();
        assertThat(exports.lacksKey()).isTrue();
        assertThat(exports.reason()).contains("its key cannot be built");
        assertThat(exports.key()).isEqualTo("user missing + ip 192.0.2.7");
    }

    @Test
    void theOutcomeTellsWhetherNoRuleMatchesOrOnlyKeysAreMissing() {
        assertThat(explain("GET /x operation=export ip=192.0.2.7").outcome())
                .isEqualTo("passes, since the keys of the rules that match cannot be built");
        assertThat(explain("GET /x ip=192.0.2.7").outcome()).isEqualTo("passes, since no limit applies");
        assertThat(rule("exports", "GET /x ip=192.0.2.7").lacksKey()).isFalse();
    }

    @Test
    void agreesWithTheDecision() {
        for (String request : new String[] {
            "GET /api/x ip=192.0.2.7",
            "POST /api/x user=bob ip=192.0.2.8",
            "PUT /api/x ip=192.0.2.9",
            "GET /x ip=10.0.0.9",
            "GET /health ip=10.0.0.9"
        }) {
            for (int i = 0; i < 5; i++) {
                boolean explained = explain(request).allowed();
                assertThat(engine.limiter().allowRequest(DescribedRequest.parse(request)))
                        .as(request)
                        .isEqualTo(explained);
            }
        }
    }

    @Test
    void whatIsQuotedOfARequestIsEscapedAndShortened() {
        String text = explain("GET \"/api/x\n\u202eforged " + "y".repeat(5_000) + "\" user=\"bob\u0007\"")
                .toString();
        assertThat(text).doesNotContain("\u202e", "\u0007").contains("\\u000a", "\\u202e", "\\u0007");
        assertThat(text.length()).isLessThan(2_000);
    }

    @Test
    void aRequestThatThrowsIsExplainedAsOneThatPasses() {
        RequestContext odd = mock(RequestContext.class);
        when(odd.method()).thenThrow(new IllegalStateException("boom"));
        Explanation explanation = engine.explain(odd);
        assertThat(explanation.allowed()).isTrue();
        assertThat(explanation.outcome())
                .contains("cannot decide", "IllegalStateException")
                .doesNotContain("boom");
    }

    @Test
    void anAttributeThatThrowsFailsItsCriterionAlone() {
        RequestContext odd = mock(RequestContext.class);
        when(odd.method()).thenReturn("GET");
        when(odd.path()).thenReturn("/api/x");
        when(odd.peerAddress()).thenReturn("192.0.2.7");
        when(odd.cost()).thenReturn(RequestContext.NO_COST);
        when(odd.attribute("tier")).thenThrow(new IllegalStateException("boom"));
        RuleExplanation everyone = engine.explain(odd).rules().get(0);
        assertThat(everyone.applies()).isTrue();
        assertThat(everyone.overrides().get(0)).contains("cannot be read", "IllegalStateException");
    }

    @Test
    void aKeyThatThrowsIsTheFaultOfItsRuleAlone() {
        RequestContext odd = mock(RequestContext.class);
        when(odd.method()).thenReturn("POST");
        when(odd.path()).thenReturn("/api/x");
        when(odd.peerAddress()).thenReturn("192.0.2.7");
        when(odd.cost()).thenReturn(RequestContext.NO_COST);
        when(odd.user()).thenThrow(new IllegalStateException("boom"));
        Explanation explanation = engine.explain(odd);
        RuleExplanation everyone = explanation.rules().get(0);
        assertThat(everyone.applies()).isFalse();
        assertThat(everyone.key()).contains("user cannot be read", "IllegalStateException");
        assertThat(explanation.rules().get(1).applies()).isTrue();
    }

    @Test
    void theEngineTellsWhatTheLintFinds() {
        assertThat(engine.lint())
                .anySatisfy(finding -> assertThat(finding.message()).contains("'header:X-Api-Key'"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "GET | begins with a method and a path",
                "GET orders | starts with '/'",
                "GET /a?b=c | add what a cost is read from as query:NAME=VALUE",
                "GET /a alice | no name and value",
                "GET /a usr=x | unknown field 'usr'",
                "GET /a user=x user=y | 'user' stands twice",
                "GET /a cost=-1 | whole number of tokens",
                "GET /a ip=example.org | must be an address",
                "GET /a header:=x | needs a name",
                "GET /a user:x=y | takes no name",
                "GET /a user=\"x | a quote is open"
            })
    void aDescriptionThatIsNoneIsRefusedWithWhatWouldBeRight(String text, String message) {
        assertThatThrownBy(() -> DescribedRequest.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void aDescriptionHoldsAllThatRulesAskFor() {
        DescribedRequest request = DescribedRequest.parse(
                "POST /a user=\"Alice \\\"B\\\"\" ip=2001:db8::1 cost=3"
                        + " operation=export header:X-A=1 header:x-a=2 cookie:c=v=w query:size=50 query:size=60 attribute:tier=gold");
        assertThat(request.method()).isEqualTo("POST");
        assertThat(request.path()).isEqualTo("/a");
        assertThat(request.user()).isEqualTo("Alice \"B\"");
        assertThat(request.peerAddress()).isEqualTo("2001:db8::1");
        assertThat(request.cost()).isEqualTo(3);
        assertThat(request.operation()).isEqualTo("export");
        assertThat(request.headers("X-a")).containsExactly("1", "2");
        assertThat(request.cookie("c")).isEqualTo("v=w");
        assertThat(request.queryParameters("size")).containsExactly("50", "60");
        assertThat(request.queryParameters("Size")).isEmpty();
        assertThat(request.attribute("tier")).isEqualTo("gold");
        assertThat(request).hasToString("POST /a");
    }
}
