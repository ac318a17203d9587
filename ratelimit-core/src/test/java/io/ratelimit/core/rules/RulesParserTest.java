package io.ratelimit.core.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.rules.AddressRange;
import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Charging;
import io.ratelimit.rules.ClientAddressPolicy;
import io.ratelimit.rules.ClientAddressPolicy.ForwardingHeader;
import io.ratelimit.rules.Condition;
import io.ratelimit.rules.Identity;
import io.ratelimit.rules.Identity.Kind;
import io.ratelimit.rules.Key;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.LimitOverride;
import io.ratelimit.rules.OnExceeded;
import io.ratelimit.rules.OnFailure;
import io.ratelimit.rules.OperationCost;
import io.ratelimit.rules.PathPattern;
import io.ratelimit.rules.Rule;
import io.ratelimit.rules.RuleSet;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.RulesException;
import io.ratelimit.rules.Sharing;
import io.ratelimit.rules.StatusRange;
import io.ratelimit.rules.StorePolicy;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RulesParserTest {

    static final String EXAMPLE = """
            service: orders
            clients: [user, "header:X-Api-Key", ip]   # how clients are told apart: the first that is present
            trustedProxies: [10.0.0.0/8]              # whose X-Forwarded-For (or Forwarded) is believed
            exempt:
              - { path: /health }
              - { ip: 192.0.2.0/24 }
            costs:                                    # per-operation costs, shared by all rules
              - { path: /api/reports/**, methods: [GET], cost: 10 }
            rules:
              - name: everyone
                match: { path: /api/** }
                limits: [20/s burst 40, 500/h]        # several limits: all must hold
              - name: login-failures
                match: { path: /login, methods: [POST] }
                key: [user, ip]                       # composite: one bucket per pair
                limits: [5 per 15m]
                charge: { when: request }
              - name: exports
                match: { operation: export }
                limits: [{ tokens: 2, per: 1m, algorithm: token-bucket }]
                onExceeded: { status: 503 }
                overrides:
                  - { when: { attributes: { tier: gold } }, limits: [20/m] }
                  - { when: { user: ops }, unlimited: true }
            """;

    private static final String EXAMPLE_AS_JSON = """
            {
            \t"service": "orders",
            \t"clients": ["user", "header:X-Api-Key", "ip"],
            \t"trustedProxies": ["10.0.0.0/8"],
            \t"exempt": [ { "path": "/health" }, { "ip": "192.0.2.0/24" } ],
            \t"costs": [ { "path": "/api/reports/**", "methods": ["GET"], "cost": 10 } ],
            \t"rules": [
            \t\t{ "name": "everyone", "match": { "path": "/api/**" }, "limits": ["20/s burst 40", "500/h"] },
            \t\t{ "name": "login-failures", "match": { "path": "/login", "methods": ["POST"] },
            \t\t  "key": ["user", "ip"], "limits": ["5 per 15m"], "charge": { "when": "request" } },
            \t\t{ "name": "exports", "match": { "operation": "export" },
            \t\t  "limits": [{ "tokens": 2, "per": "1m", "algorithm": "token-bucket" }],
            \t\t  "onExceeded": { "status": 503 },
            \t\t  "overrides": [
            \t\t    { "when": { "attributes": { "tier": "gold" } }, "limits": ["20/m"] },
            \t\t    { "when": { "user": "ops" }, "unlimited": true } ] }
            \t]
            }
            """;

    private final RulesParser parser = new RulesParser();

    @Test
    void theExampleOfTheManualIsReadToTheExactModel() throws Exception {
        assertThat(parse(EXAMPLE)).isEqualTo(exampleModel());
    }

    @Test
    void jsonIsReadToTheSameModelTabsIncluded() throws Exception {
        assertThat(parse(EXAMPLE_AS_JSON)).isEqualTo(exampleModel());
    }

    private static RuleSet exampleModel() throws Exception {
        Rule everyone = rule(
                "everyone",
                path("/api/**"),
                new Key.Client(),
                List.of(Limit.of(20, Duration.ofSeconds(1)).withBurst(40), Limit.of(500, Duration.ofHours(1))));
        Rule logins = rule(
                "login-failures",
                new Condition(
                        List.of(PathPattern.parse("/login")), Set.of("POST"), Set.of(), Set.of(), List.of(), Map.of()),
                new Key.Composite(List.of(Identity.of(Kind.USER), Identity.of(Kind.IP))),
                List.of(Limit.of(5, Duration.ofMinutes(15))));
        Condition gold =
                new Condition(List.of(), Set.of(), Set.of(), Set.of(), List.of(), Map.of("tier", Set.of("gold")));
        Condition ops = new Condition(List.of(), Set.of(), Set.of(), Set.of("ops"), List.of(), Map.of());
        Rule exports = new Rule(
                "exports",
                Condition.operation("export"),
                new Key.Client(),
                List.of(Limit.of(2, Duration.ofMinutes(1))),
                List.of(
                        new LimitOverride(gold, List.of(Limit.of(20, Duration.ofMinutes(1)))),
                        new LimitOverride(ops, List.of())),
                new OnExceeded(503),
                StorePolicy.UNSET);
        return new RuleSet(
                "orders",
                7,
                List.of(Identity.of(Kind.USER), new Identity(Kind.HEADER, "X-Api-Key"), Identity.of(Kind.IP)),
                new ClientAddressPolicy(List.of(range("10.0.0.0", 8)), ForwardingHeader.X_FORWARDED_FOR, 64),
                List.of(path("/health"), addresses(range("192.0.2.0", 24))),
                List.of(new OperationCost(
                        new Condition(
                                List.of(PathPattern.parse("/api/reports/**")),
                                Set.of("GET"),
                                Set.of(),
                                Set.of(),
                                List.of(),
                                Map.of()),
                        10)),
                StorePolicy.UNSET,
                List.of(everyone, logins, exports));
    }

    @Test
    void whatIsNotSaidHasItsDefault() throws Exception {
        RuleSet rules = parse("service: orders\nrules: [{ name: r, limits: 1/s }]");

        assertThat(rules)
                .isEqualTo(new RuleSet(
                        "orders",
                        7,
                        RuleSet.DEFAULT_CLIENTS,
                        ClientAddressPolicy.DEFAULT,
                        List.of(),
                        List.of(),
                        StorePolicy.UNSET,
                        List.of(rule(
                                "r",
                                Condition.ALWAYS,
                                new Key.Client(),
                                List.of(Limit.of(1, Duration.ofSeconds(1)))))));
    }

    @Test
    void everyFieldOfTheTopIsRead() throws Exception {
        RuleSet rules = parse("""
                service: orders
                clients: bearer
                trustedProxies: [192.0.2.7, "2001:db8::/32", "::ffff:10.0.0.0/104"]
                forwardedHeader: forwarded
                ipv6Prefix: 56
                sharing: host
                onFailure: closed
                storeTimeout: 50ms
                exempt: []
                costs: [{ cost: 0, operation: [peek, look] }, { cost: 3 }]
                rules: []
                """);

        assertThat(rules.clients()).containsExactly(Identity.of(Kind.BEARER));
        assertThat(rules.addresses())
                .isEqualTo(new ClientAddressPolicy(
                        List.of(range("192.0.2.7", 32), range("2001:db8::", 32), range("10.0.0.0", 8)),
                        ForwardingHeader.FORWARDED,
                        56));
        assertThat(rules.store()).isEqualTo(new StorePolicy(Sharing.HOST, OnFailure.CLOSED, Duration.ofMillis(50)));
        assertThat(rules.costs()).extracting(OperationCost::cost).containsExactly(0L, 3L);
        assertThat(rules.costs().get(0).match().operations()).containsExactlyInAnyOrder("peek", "look");
        assertThat(rules.rules()).isEmpty();
    }

    @Test
    void aCostMayNameAResolverWithOrWithoutWhatStandsInForIt() throws Exception {
        RuleSet rules = parse("""
                service: orders
                costs: [{ path: /a, resolver: page-size, cost: 4 }, { path: /b, resolver: page-size }]
                rules: []
                """);
        assertThat(rules.costs())
                .containsExactly(
                        new OperationCost(path("/a"), "page-size", 4), new OperationCost(path("/b"), "page-size", 1));
    }

    @Test
    void everyFieldOfARuleIsRead() throws Exception {
        Rule rule = onlyRule("""
                service: orders
                rules:
                  - name: r
                    match:
                      path: [/a, "/b/{id}"]
                      methods: GET
                      operation: [x, y]
                      user: [alice, bob]
                      ip: ["2001:db8::1", 198.51.100.0/25]
                      attributes: { tier: [gold, 1, 1.50, true], region: eu }
                    key: service
                    limits: 10/s
                    sharing: exact
                    onFailure: open
                    storeTimeout: PT1S
                    onExceeded: reject
                """);

        assertThat(rule)
                .isEqualTo(new Rule(
                        "r",
                        new Condition(
                                List.of(PathPattern.parse("/a"), PathPattern.parse("/b/{id}")),
                                Set.of("GET"),
                                Set.of("x", "y"),
                                Set.of("alice", "bob"),
                                List.of(range("2001:db8::1", 128), range("198.51.100.0", 25)),
                                Map.of("tier", Set.of("gold", "1", "1.50", "true"), "region", Set.of("eu"))),
                        new Key.Service(),
                        List.of(Limit.of(10, Duration.ofSeconds(1))),
                        List.of(),
                        OnExceeded.REJECT,
                        new StorePolicy(Sharing.EXACT, OnFailure.OPEN, Duration.ofSeconds(1))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "\"0\"", "[0]", "[\"0\"]", "0/s", "{ tokens: 0, per: 1m }"})
    void aLimitOfZeroRefusesAlways(String limits) throws Exception {
        assertThat(limits(limits)).containsExactly(Limit.BLOCKED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"unlimited", "[unlimited]", "\"unlimited\""})
    void onlyTheWordUnlimitedLiftsALimit(String limits) throws Exception {
        assertThat(limits(limits)).isEmpty();
    }

    @Test
    void aBlockedAddressIsAnOverrideOfZeroBesideTheLimitOfTheOthers() throws Exception {
        Rule rule = onlyRule("""
                service: orders
                rules:
                  - name: by-address
                    key: ip
                    limits: 60/m
                    overrides:
                      - { when: { ip: 203.0.113.50 }, limits: 10000/m }
                      - { when: { ip: 203.0.113.100 }, limits: 0 }
                """);

        assertThat(rule.limits()).containsExactly(Limit.of(60, Duration.ofMinutes(1)));
        assertThat(rule.overrides())
                .containsExactly(
                        new LimitOverride(
                                addresses(range("203.0.113.50", 32)), List.of(Limit.of(10_000, Duration.ofMinutes(1)))),
                        new LimitOverride(addresses(range("203.0.113.100", 32)), List.of(Limit.BLOCKED)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{ tokens: 2, per: 1m }|2 per 1m",
                "{ tokens: 2, per: minute, burst: 10 }|2 per 1m burst 10",
                "{ tokens: 0x10, per: PT1S, algorithm: token-bucket, refill: greedy, align: client }|16 per 1s",
                "{ tokens: 60, per: 1 hour, burst: 5 }|60 per 1h burst 5",
            })
    void aLimitMayBeAMapping(String limits, String text) throws Exception {
        assertThat(limits(limits)).extracting(Limit::toString).containsExactly(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{ tokens: 2, per: 1m, burst: 3, algorithm: leaky-bucket }",
                "{ tokens: 2, per: 1m, burst: 3, algorithm: gcra }",
                "{ tokens: 2, per: 1m, algorithm: fixed-window }",
                "{ tokens: 2, per: 1m, algorithm: fixed-window, align: clock }",
                "{ tokens: 2, per: 30d, algorithm: fixed-window, align: clock, zone: Europe/Berlin }",
                "{ tokens: 2, per: 1m, burst: 3, refill: interval, align: clock, zone: Asia/Kolkata }",
                "{ tokens: 10000, per: 1m, algorithm: sliding-window-log }",
                "{ tokens: 2, per: 1m, algorithm: sliding-window-counter, align: clock, zone: America/Sao_Paulo }",
                "{ tokens: 2, per: 1m, algorithm: sliding-window-counter, precision: 60 }",
                "{ tokens: 2, per: PT0.0005S, algorithm: sliding-window-counter }",
                "{ tokens: 2, per: 1m, minInterval: 100ms, chargeRefused: true, penalty: { after: 3, for: 10m } }",
                "{ tokens: 2, algorithm: concurrency }",
                "{ tokens: 2, burst: 9, algorithm: concurrency, adaptive: true }",
                "{ tokens: 2, per: 1m, burst: 9, algorithm: warm-up, minInterval: 1s, warmUp: 30s }"
            })
    void everyLimitIsReadAndWrittenInTheSameWords(String text) throws Exception {
        assertThat(onlyRule("service: o\nrules: [{ name: r, key: service, sharing: host, limits: " + text + " }]")
                        .limits())
                .extracting(Limit::toString)
                .containsExactly(text);
    }

    @Test
    void theDefaultsOfALimitMayBeWrittenOut() throws Exception {
        assertThat(limits("{ tokens: 2, per: 1m, burst: 2, algorithm: token-bucket, refill: greedy, align: client,"
                        + " precision: 1, chargeRefused: false, adaptive: FALSE }"))
                .containsExactly(Limit.of(2, Duration.ofMinutes(1)));
        assertThat(limits("{ tokens: 2, per: 1m, algorithm: fixed-window, align: clock, zone: UTC }"))
                .isEqualTo(limits("{ tokens: 2, per: 1m, algorithm: fixed-window, align: clock }"));
    }

    @Test
    void oneLimitOfEachPeriodAndAlgorithmMayStandInARule() throws Exception {
        assertThat(limits("[5/s, 9/m, { tokens: 5, per: 1s, algorithm: fixed-window }]"))
                .extracting(Limit::algorithm)
                .containsExactly(Algorithm.TOKEN_BUCKET, Algorithm.TOKEN_BUCKET, Algorithm.FIXED_WINDOW);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sharing: host\nrules: [{ name: r, key: service, limits: LIMIT }]",
                "rules: [{ name: r, key: service, sharing: host, limits: [9/s, LIMIT] }]",
                "sharing: exact\nrules: [{ name: r, key: [service], sharing: host, limits: LIMIT }]",
                "rules: [{ name: r, key: service, sharing: host, limits: 1/s,"
                        + " overrides: [{ when: { user: ops }, limits: LIMIT }] }]"
            })
    void whatHostsCannotShareStandsWhereTheyShareNothing(String rules) throws Exception {
        String limit = "{ tokens: 5, algorithm: concurrency, adaptive: true }";
        assertThat(parse("service: o\n" + rules.replace("LIMIT", limit)).rules())
                .hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"401|401", "[401, 403]|401,403", "5xx|5xx", "[401, 4xx, 0x1F4]|401,4xx,500", "[100, 599]|100,599"})
    void aChargeMayDependOnTheResponse(String written, String read) throws Exception {
        Rule rule = onlyRule(
                "service: o\nrules: [{ name: r, limits: 1/s, charge: { when: response, status: " + written + " } }]");

        Charging.OnResponse charging = (Charging.OnResponse) rule.charging();
        assertThat(charging.statuses()).map(StatusRange::toString).containsExactly(read.split(","));
    }

    @Test
    void aChargeIsMadeOnTheRequestUnlessTheRuleSaysOtherwise() throws Exception {
        assertThat(onlyRule("service: o\nrules: [{ name: r, limits: 1/s }]").charging())
                .isEqualTo(Charging.ON_REQUEST);
        assertThat(onlyRule("service: o\nrules: [{ name: r, limits: 1/s, charge: { when: request } }]")
                        .charging())
                .isEqualTo(Charging.ON_REQUEST);
    }

    @Test
    void aRuleMayOnlyWatch() throws Exception {
        assertThat(onlyRule("service: o\nrules: [{ name: r, limits: 1/s, onExceeded: shadow }]")
                        .onExceeded())
                .isEqualTo(OnExceeded.SHADOW);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "user|[user]",
                "[user, 'header:X-Api-Key']|[user, header:X-Api-Key]",
                "{ any: [user, ip] }|{ any: [user, ip] }",
                "{ any: user }|{ any: [user] }",
                "service|service",
                "[service]|service"
            },
            quoteCharacter = '`')
    void aKeyIsAnIdentityACompositeTheFirstPresentOrTheService(String key, String text) throws Exception {
        assertThat(onlyRule("service: o\nrules: [{ name: r, limits: 1/s, key: " + key + " }]")
                        .key())
                .hasToString(text);
    }

    @Test
    void rulesThatDifferOnlyInNameAreAllKept() throws Exception {
        RuleSet rules = parse("""
                service: orders
                rules:
                  - { name: a, match: { path: /x, methods: GET }, key: ip, limits: 5/m }
                  - { name: b, match: { path: /x, methods: GET }, key: ip, limits: 5/m }
                """);

        assertThat(rules.rules()).extracting(Rule::name).containsExactly("a", "b");
    }

    @Test
    void anAliasStandsForWhatItsAnchorNames() throws Exception {
        RuleSet rules = parse("""
                service: orders
                rules:
                  - { name: a, match: &m { path: /x }, limits: &l [5/m] }
                  - { name: b, match: *m, limits: *l }
                """);

        assertThat(rules.rules().get(1).match()).isEqualTo(rules.rules().get(0).match());
        assertThat(rules.rules().get(1).limits()).isEqualTo(rules.rules().get(0).limits());
    }

    @Test
    void wordsThatOlderYamlTookForTruthValuesAreTexts() throws Exception {
        assertThat(onlyRule("service: off\nrules: [{ name: yes, limits: 1/s, match: { user: [no, on] } }]")
                        .match()
                        .users())
                .containsExactlyInAnyOrder("no", "on");
    }

    @Test
    void aByteOrderMarkAndOtherLineEndsAreTolerated() throws Exception {
        assertThat(parse("\uFEFF" + EXAMPLE.replace("\n", "\r\n"))).isEqualTo(exampleModel());
        assertThat(parse("\uFEFF" + EXAMPLE_AS_JSON)).isEqualTo(exampleModel());
        assertThat(parse("%YAML 1.2\n---\n" + EXAMPLE + "...\n# the end\n")).isEqualTo(exampleModel());
    }

    @Test
    void tenThousandRulesAreReadQuickly() throws Exception {
        StringBuilder text = new StringBuilder("service: orders\nrules:\n");
        for (int i = 0; i < 10_000; i++) {
            text.append("  - { name: r")
                    .append(i)
                    .append(", match: { path: /p")
                    .append(i)
                    .append("/** }, limits: [20/s burst 40, 500/h] }\n");
        }

        ProcessorTime time = ProcessorTime.start();
        assertThat(parse(text.toString()).rules()).hasSize(10_000);
        assertThat(time.used()).isLessThan(Duration.ofSeconds(10));
    }

    private RuleSet parse(String text) throws RulesException {
        return parser.parse(new RulesDocument("rules.yaml", text.getBytes(StandardCharsets.UTF_8), "tag", 7));
    }

    private Rule onlyRule(String text) throws RulesException {
        List<Rule> rules = parse(text).rules();
        assertThat(rules).hasSize(1);
        return rules.get(0);
    }

    private List<Limit> limits(String limits) throws RulesException {
        return onlyRule("service: orders\nrules: [{ name: r, limits: " + limits + " }]")
                .limits();
    }

    private static Rule rule(String name, Condition match, Key key, List<Limit> limits) {
        return new Rule(name, match, key, limits, List.of(), OnExceeded.REJECT, StorePolicy.UNSET);
    }

    private static Condition path(String pattern) {
        return new Condition(List.of(PathPattern.parse(pattern)), Set.of(), Set.of(), Set.of(), List.of(), Map.of());
    }

    private static Condition addresses(AddressRange range) {
        return new Condition(List.of(), Set.of(), Set.of(), Set.of(), List.of(range), Map.of());
    }

    private static AddressRange range(String address, int prefix) throws Exception {
        return new AddressRange(InetAddress.getByName(address), prefix);
    }
}
