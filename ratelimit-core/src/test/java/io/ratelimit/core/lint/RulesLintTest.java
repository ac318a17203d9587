package io.ratelimit.core.lint;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.Growth;
import io.ratelimit.core.lint.LintFinding.Severity;
import io.ratelimit.core.rules.RulesParser;
import io.ratelimit.rules.Condition;
import io.ratelimit.rules.Identity;
import io.ratelimit.rules.Key;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.LimitOptions;
import io.ratelimit.rules.OnExceeded;
import io.ratelimit.rules.PathPattern;
import io.ratelimit.rules.Refill;
import io.ratelimit.rules.Rule;
import io.ratelimit.rules.RuleSet;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.RulesException;
import io.ratelimit.rules.Sharing;
import io.ratelimit.rules.StorePolicy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RulesLintTest {

    private static RuleSet parse(String text) {
        try {
            byte[] content = text.getBytes(StandardCharsets.UTF_8);
            return new RulesParser().parse(new RulesDocument("rules.yaml", content, "tag", 1));
        } catch (RulesException e) {
            throw new AssertionError(text, e);
        }
    }

    private static List<String> findings(String text) {
        return new RulesLint()
                .check(parse("service: s\n" + text)).stream()
                        .map(LintFinding::message)
                        .toList();
    }

    private static List<String> findings(Limit... limits) {
        Rule rule = new Rule(
                "r",
                Condition.ALWAYS,
                new Key.Client(),
                List.of(limits),
                List.of(),
                OnExceeded.REJECT,
                new StorePolicy(Sharing.EXACT, null, null));
        RuleSet open = RuleSet.open("s");
        RuleSet rules = new RuleSet(
                "s", 1, open.clients(), open.addresses(), List.of(), List.of(), open.store(), List.of(rule));
        return new RulesLint().check(rules).stream().map(LintFinding::message).toList();
    }

    private static Rule coded(String name, String operation) {
        return new Rule(
                name,
                Condition.operation(operation),
                new Key.Client(),
                List.of(Limit.of(5, Duration.ofMinutes(1))),
                List.of(),
                OnExceeded.REJECT,
                StorePolicy.UNSET);
    }

    @Test
    void aRuleWhoseRequestsAreAllExemptNeverApplies() {
        assertThat(findings("""
                exempt: [{ path: /a/** }, { path: "/b/*" }, { path: /c, methods: GET }]
                rules:
                  - { name: one, match: { path: /a/x/* }, limits: 1/s }
                  - { name: two, match: { path: [/a, /b/x], methods: POST }, limits: 1/s }
                  - { name: three, match: { path: /b/** }, limits: 1/s }
                  - { name: four, match: { path: /c }, limits: 1/s }
                  - { name: five, match: { path: /c, methods: HEAD }, limits: 1/s }
                """))
                .satisfiesExactly(
                        one -> assertThat(one).contains("'one' never applies", "exempt[0]"),
                        two -> assertThat(two).contains("'two' never applies", "exempt[0] and exempt[1]"),
                        five -> assertThat(five).contains("'five' never applies", "exempt[2]"));
    }

    @Test
    void anOverrideBehindAWeakerOneIsNeverChosen() {
        assertThat(findings("""
                rules:
                  - name: r
                    match: { path: /api/** }
                    limits: 1/s
                    overrides:
                      - { when: { user: [ann, bob] }, limits: 2/s }
                      - { when: { user: bob, ip: 192.0.2.1 }, limits: 3/s }
                      - { when: { user: [bob, eve] }, limits: 3/s }
                      - { when: { ip: 10.0.0.0/8 }, limits: 4/s }
                      - { when: { ip: [10.1.2.3, 10.2.0.0/16] }, limits: 5/s }
                      - { when: { ip: 11.1.2.3 }, limits: 5/s }
                      - { when: { attributes: { tier: gold } }, limits: 6/s }
                      - { when: { attributes: { tier: gold, region: eu } }, limits: 6/s }
                      - { when: { attributes: { tier: silver } }, limits: 6/s }
                """))
                .satisfiesExactly(
                        one -> assertThat(one).contains("overrides[1] is never chosen", "overrides[0] stands before"),
                        two -> assertThat(two).contains("overrides[4] is never chosen", "overrides[3]"),
                        three -> assertThat(three).contains("overrides[7] is never chosen", "overrides[6]"));
    }

    @Test
    void anOverrideForAllThatTheRuleMatchesHidesThoseBehindIt() {
        assertThat(findings("""
                rules:
                  - name: r
                    match: { path: /api/x, methods: POST }
                    limits: 1/s
                    overrides:
                      - { when: { path: /api/** }, limits: 2/s }
                      - { when: { user: bob }, limits: 3/s }
                """)).singleElement().asString().contains("overrides[1]", "overrides[0]");
    }

    @Test
    void anOverrideForRequestsThatTheRuleDoesNotMatchIsNeverChosen() {
        assertThat(findings("""
                rules:
                  - name: r
                    match: { path: "/api/*/x", methods: GET }
                    limits: 1/s
                    overrides:
                      - { when: { path: /api/orders }, limits: 2/s }
                      - { when: { methods: POST }, limits: 2/s }
                      - { when: { path: "/**/x" }, limits: 2/s }
                """))
                .hasSize(2)
                .allSatisfy(finding -> assertThat(finding).contains("no request that the rule matches fits it"));
    }

    @Test
    void aCostBehindAWeakerOneForTheSamePathNeverCounts() {
        assertThat(findings("""
                costs:
                  - { path: /a/**, cost: 2 }
                  - { path: /a/**, methods: POST, cost: 3 }
                  - { path: /a/b, methods: POST, cost: 4 }
                  - { path: [/a/b, /a/**], methods: POST, user: bob, cost: 5 }
                  - { path: [/a/**, /c], cost: 6 }
                  - { methods: DELETE, cost: 7 }
                  - { path: /**, methods: DELETE, cost: 8 }
                rules: []
                """))
                .satisfiesExactly(
                        one -> assertThat(one).contains("costs[1] never counts", "costs[0]"),
                        two -> assertThat(two).contains("costs[3] never counts", "costs[2]"),
                        three -> assertThat(three).contains("costs[6] never counts", "costs[5]"));
    }

    @Test
    void pathsThatNoContainerHandsOverAreFound() {
        assertThat(findings("rules: [{ name: r, match: { path: '/a%20b' }, limits: 1/s }]"))
                .singleElement()
                .asString()
                .contains("'r'", "/a%20b", "decoded");
        Condition madeInJava = new Condition(
                List.of(new PathPattern("/a/../b", List.of("a", "..", "b"))),
                Set.of(),
                Set.of(),
                Set.of(),
                List.of(),
                Map.of());
        RuleSet open = RuleSet.open("s");
        RuleSet rules = new RuleSet(
                "s", 1, open.clients(), open.addresses(), List.of(madeInJava), List.of(), open.store(), List.of());
        assertThat(new RulesLint().check(rules)).singleElement().asString().contains("exempt[0]", "/a/../b", "'..'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"methods: '*'", "methods: ALL", "methods: [GET, ANY]", "user: '*'", "operation: '*'"})
    void wordsThatAreMeantForAllAreFound(String criterion) {
        assertThat(findings("rules: [{ name: r, match: { " + criterion + " }, limits: 1/s }]"))
                .singleElement()
                .asString()
                .contains("stands for no other than itself; leave", "out to match all");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PSOT", "POSTT", "POS", "POXT", "DELET"})
    void aMethodThatIsOneSlipFromACommonOneIsNoted(String method) {
        assertThat(new RulesLint()
                        .check(parse(
                                "service: s\nrules: [{ name: r, match: { methods: " + method + " }, limits: 1/s }]")))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.severity()).isEqualTo(Severity.NOTE);
                    assertThat(finding.message()).contains(method, method.startsWith("D") ? "'DELETE'" : "'POST'");
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"PROPFIND", "PURGE", "HEAD", "LOCK", "REPORT"})
    void otherMethodsAreLeftAlone(String method) {
        assertThat(findings("rules: [{ name: r, match: { methods: " + method + " }, limits: 1/s }]"))
                .isEmpty();
    }

    @Test
    void aCostThatALimitCannotHoldIsReportedWhereBothMeet() {
        assertThat(findings("""
                costs: [{ path: /reports/**, cost: 50 }]
                rules:
                  - { name: small, match: { path: /reports/daily }, limits: [10/s] }
                  - { name: elsewhere, match: { path: /orders }, limits: [10/s] }
                  - { name: large, limits: [100/s], overrides: [{ when: { user: bob }, limits: [40/s] }] }
                """))
                .satisfiesExactlyInAnyOrder(
                        one -> assertThat(one).contains("'small'", "'10 per 1s'", "50", "[/reports/**]"),
                        two -> assertThat(two).contains("'large'", "'40 per 1s'"));
    }

    @Test
    void aCostIsNotReportedWhereAnotherCostAnOverrideOrAnExemptionComesFirst() {
        assertThat(findings("""
                exempt: [{ path: /free/** }]
                costs:
                  - { path: /**, cost: 50 }
                  - { path: /cheap/**, cost: 1 }
                rules:
                  - { name: cheap, match: { path: /cheap/x }, limits: 10/s }
                  - name: lifted
                    match: { path: /lifted/** }
                    limits: 10/s
                    overrides: [{ when: { path: "/**" }, limits: 60/s }]
                  - name: free
                    match: { path: [/free/a, /dear] }
                    limits: 60/s
                    overrides: [{ when: { path: /free/** }, limits: 10/s }]
                """)).isEmpty();
    }

    @Test
    void aRuleThatRefusesEverybodyIsNotedButNoBlockList() {
        assertThat(findings("""
                rules:
                  - { name: closed, match: { path: /admin/** }, limits: 0 }
                  - { name: banned, match: { ip: 203.0.113.9 }, limits: 0 }
                  - { name: few, limits: 0, overrides: [{ when: { user: ops }, unlimited: true }] }
                """))
                .singleElement()
                .asString()
                .contains("'closed' refuses every request", "whoever sends it");
    }

    @Test
    void aLimitThatATighterOneMakesPointlessIsFound() {
        assertThat(findings("rules: [{ name: r, limits: [100/s, 10 per 2s] }]"))
                .singleElement()
                .asString()
                .contains("'100 per 1s' never refuses anything that '10 per 2s' lets pass");
        assertThat(findings("rules: [{ name: r, limits: [60/m, 1/s burst 60] }]"))
                .singleElement()
                .asString()
                .contains("'1 per 1s burst 60' never refuses");
        assertThat(findings("rules: [{ name: r, limits: [20/s burst 40, 500/h] }]"))
                .isEmpty();
        assertThat(findings("rules: [{ name: r, limits: [20/s burst 5, 10 per 2s] }]"))
                .isEmpty();
    }

    @Test
    void limitsThatCountDifferentlyAreNotComparedForPointlessness() {
        Limit tight = Limit.of(10, Duration.ofSeconds(2));
        Limit loose = Limit.of(100, Duration.ofSeconds(1));
        assertThat(findings(loose, tight)).hasSize(1);
        assertThat(findings(loose.with(LimitOptions.NONE.withChargeRefused(true)), tight))
                .isEmpty();
        assertThat(findings(loose, tight.with(LimitOptions.NONE.withRefill(Refill.INTERVAL))))
                .isEmpty();
    }

    @Test
    void tokensThatASpacingMakesUnreachableAreNoted() {
        Limit limit = Limit.of(100, Duration.ofSeconds(1));
        assertThat(findings(limit.with(LimitOptions.NONE.withMinInterval(Duration.ofSeconds(1)))))
                .singleElement()
                .asString()
                .contains("100, per: 1s", "PT1S", "1 requests pass in a period");
        assertThat(findings(limit.with(LimitOptions.NONE.withMinInterval(Duration.ofMillis(10)))))
                .isEmpty();
    }

    @Test
    void aRuleThatOnlyHasTheNameOfLimitsInTheCodeIsFound() {
        RuleSet rules = parse("service: s\nrules: [{ name: export, match: { path: /x }, limits: 9/m }]");
        Rule coded = coded("export", "export");
        assertThat(new RulesLint().check(rules, List.of(), List.of(coded)))
                .singleElement()
                .asString()
                .isEqualTo("rule 'export' does not name operation [export], but has the name of its limits in the code,"
                        + " which therefore do not hold; rename the rule, or let it match the operation");
        RuleSet named = parse("service: s\nrules: [{ name: export, match: { operation: export }, limits: 9/m }]");
        assertThat(new RulesLint().check(named, List.of(), List.of(coded))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0/0", "10.0.0.0/7", "'::/0'", "'2000::/15'"})
    void trustedProxiesThatStrangersMayBeAmongAreFound(String range) {
        assertThat(findings("trustedProxies: [" + range + "]\nrules: []"))
                .singleElement()
                .asString()
                .contains("trustedProxies", "strangers", "chooses the address");
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.0/8", "'fd00::/8'", "'2001:db8::/32'"})
    void narrowOrPrivateTrustedProxiesAreLeftAlone(String range) {
        assertThat(findings("trustedProxies: [" + range + "]\nrules: []")).isEmpty();
    }

    @Test
    void trustedProxiesThatNothingDependsOnAreNoted() {
        assertThat(findings("trustedProxies: 10.0.0.1\nclients: user\nrules: [{ name: r, limits: 1/s }]"))
                .singleElement()
                .asString()
                .contains("nothing in the rules looks at addresses");
        assertThat(findings("trustedProxies: 10.0.0.1\nclients: user\nexempt: [{ ip: 192.0.2.1 }]\nrules: []"))
                .isEmpty();
        assertThat(findings(
                        "trustedProxies: 10.0.0.1\nclients: user\nrules: [{ name: r, key: [user, ip], limits: 1/s }]"))
                .isEmpty();
    }

    @Test
    void anIdentityThatAnybodyCanInventIsFoundUnlessAnAddressRuleCoversThePaths() {
        String clients = "clients: [user, 'header:X-Api-Key', ip]\nrules:\n";
        String rule = "  - { name: api, match: { path: /api/** }, limits: 1/s }\n";
        assertThat(findings(clients + rule))
                .singleElement()
                .asString()
                .contains(
                        "clients:",
                        "'header:X-Api-Key'",
                        "('api')",
                        "a client that invents values gets a fresh bucket each time");
        assertThat(findings(clients + rule + "  - { name: a, key: ip, limits: 9/s }"))
                .isEmpty();
        assertThat(findings(clients + rule + "  - { name: a, key: service, match: { path: /** }, limits: 9/s }"))
                .isEmpty();
        assertThat(findings(clients + rule + "  - { name: a, key: ip, match: { path: /api/* }, limits: 9/s }"))
                .hasSize(1);
        assertThat(findings(clients + rule + "  - { name: a, key: ip, match: { methods: GET }, limits: 9/s }"))
                .hasSize(1);
        assertThat(findings("clients: [ip, 'header:X-Api-Key']\nrules:\n" + rule))
                .isEmpty();
    }

    @Test
    void anInventedPartOfACompositeKeyIsFoundForItsRule() {
        assertThat(findings("rules: [{ name: r, key: ['cookie:sid', ip], limits: 1/s }]"))
                .singleElement()
                .asString()
                .contains("rule 'r'", "'cookie:sid'");
    }

    @Test
    void anIdentityThatTheApplicationVerifiesIsLeftAlone() {
        RuleSet rules = parse("service: s\nrules: [{ name: r, key: 'header:X-Api-Key', limits: 1/s }]");
        assertThat(new RulesLint(Set.of(new Identity(Identity.Kind.HEADER, "X-Api-Key"))::contains).check(rules))
                .isEmpty();
    }

    @Test
    void twoRulesThatSayTheSameAreNoted() {
        assertThat(findings("""
                rules:
                  - { name: a, match: { path: ["/x/{id}", /y], methods: GET }, key: ip, limits: [5/m, 9/h] }
                  - { name: b, match: { path: [/y, "/x/*"], methods: HEAD }, key: ip, limits: [9/h, 5/m] }
                  - { name: c, match: { path: [/y, "/x/*"] }, key: ip, limits: [9/h, 5/m] }
                """)).singleElement().asString().contains("rule 'b'", "rule 'a'", "both are enforced");
    }

    @Test
    void whatIsQuotedFromTheRulesStaysOnOneLine() {
        assertThat(findings("rules: [{ name: r, match: { path: \"/a%20\\nb\" }, limits: 1/s }]"))
                .singleElement()
                .asString()
                .contains("\\u000a")
                .doesNotContain("\n");
    }

    @Test
    void theExamplesOfTheManualAreClean() throws IOException {
        List<String> examples = new ArrayList<>();
        try (var pages = Files.walk(Path.of("../docs"))) {
            for (Path page :
                    pages.filter(file -> file.toString().endsWith(".md")).toList()) {
                examples.addAll(examplesOf(page));
            }
        }
        examples.addAll(examplesOf(Path.of("../README.md")));
        assertThat(examples).hasSizeGreaterThan(3);
        assertThat(examples)
                .allSatisfy(
                        text -> assertThat(new RulesLint().check(parse(text))).isEmpty());
    }

    private static List<String> examplesOf(Path page) throws IOException {
        Matcher blocks =
                Pattern.compile("```yaml\n(service: .*?)```", Pattern.DOTALL).matcher(Files.readString(page));
        return blocks.results().map(block -> block.group(1)).toList();
    }

    @Test
    void theSampleHasNoFindings() throws IOException {
        String sample = Files.readString(Path.of("../sample-app/src/main/resources/rules.yaml"));
        assertThat(new RulesLint().check(parse(sample))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/p%d/*", "/api/v1/p%d/**", "/**/p%d"})
    void tenThousandRulesAreLintedInTimeThatGrowsWithTheirNumber(String pattern) {
        assertThat(Growth.upTo(10_000, size -> {
                    RuleSet rules = manyRules(size, pattern);
                    return () -> assertThat(new RulesLint().check(rules)).hasSize(Findings.MOST);
                }))
                .isLessThan(Growth.NEARLY_LINEAR);
    }

    private RuleSet manyRules(int count, String pattern) {
        String paths = IntStream.range(0, count / 3)
                .mapToObj(i -> "  - { path: '" + pattern.formatted(i) + "', cost: 5 }\n")
                .collect(Collectors.joining());
        String rules = IntStream.range(0, count)
                .mapToObj(i -> "  - { name: r" + i + ", key: 'header:K', match: { path: '" + pattern.formatted(i)
                        + "' }, limits: [" + (i % 2 == 0 ? 3 : 9) + "/s] }\n")
                .collect(Collectors.joining());
        return parse("service: s\nexempt: [{ path: /p77/** }]\ncosts:\n" + paths + "rules:\n" + rules);
    }

    @Test
    void aRuleOfManyOverridesIsLintedInTimeThatGrowsWithTheirNumber() {
        assertThat(Growth.upTo(10_000, size -> {
                    RuleSet rules = manyOverrides(size);
                    return () -> assertThat(new RulesLint().check(rules)).isEmpty();
                }))
                .isLessThan(Growth.NEARLY_LINEAR);
    }

    private RuleSet manyOverrides(int count) {
        String overrides = IntStream.range(0, count)
                .mapToObj(i -> i % 2 == 0
                        ? "{ when: { user: u" + i + " }, limits: 1/s }"
                        : "{ when: { ip: 10.1." + i / 256 + "." + i % 256 + " }, limits: 2/s }")
                .collect(Collectors.joining(", "));
        return parse("service: s\nrules: [{ name: r, match: { path: /api/** }, limits: 1/s, overrides: [" + overrides
                + "] }]");
    }
}
