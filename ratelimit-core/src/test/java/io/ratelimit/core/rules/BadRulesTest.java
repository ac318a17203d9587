package io.ratelimit.core.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.ratelimit.rules.RuleProblem;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.RulesException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong in a readable document: the place, the field, the rule and the advice. */
class BadRulesTest {

    private final RulesParser parser = new RulesParser();

    /** A field of the top, in line 3, column 1 and following. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "sevice: x|sevice|unknown field 'sevice'; did you mean 'service'?; valid fields are service, clients, trustedProxies",
                "xyzzy: x|xyzzy|unknown field 'xyzzy'; valid fields are service",
                "<<: {}|<<|unknown field '<<'",
                "service: other|service|the field 'service' stands twice in one mapping, first in line 1",
                "clients: usr|clients|'usr' is no identity; did you mean 'user'?",
                "clients: [user, service]|clients[1]|'service' is no identity: it stands alone under 'key'",
                "clients: [user, ip, user]|clients[2]|'user' stands twice",
                "clients: []|clients|an empty list says nothing",
                "clients:|clients|no value stands where a text is due: an identity such as user",
                "clients: [header: X-Api-Key]|clients[0]|a mapping stands where a text is due: an identity such as user, ip or \"header:X-Api-Key\"",
                "trustedProxies: [10.1.2.3/8]|trustedProxies[0]|'10.1.2.3/8' has bits set beyond its prefix; the network is 10.0.0.0/8",
                "trustedProxies: [\"2001:db8::1/32\"]|trustedProxies[0]|the network is 2001:db8::/32",
                "trustedProxies: [localhost]|trustedProxies[0]|'localhost' is no address; write a literal address or a network",
                "trustedProxies: [10.0.0.0/33]|trustedProxies[0]|has a wrong prefix; behind '/' stands a number between 0 and 32",
                "trustedProxies: [10.0.0.0/-1]|trustedProxies[0]|has a wrong prefix",
                "trustedProxies: [10.0.0.0/]|trustedProxies[0]|has a wrong prefix",
                "trustedProxies: [\"2001:db8::/129\"]|trustedProxies[0]|between 0 and 128",
                "trustedProxies: [\"::ffff:10.0.0.0/8\"]|trustedProxies[0]|between 96 and 128",
                "trustedProxies: [\"fe80::1%eth0\"]|trustedProxies[0]|is no address",
                "trustedProxies: [010.0.0.1]|trustedProxies[0]|is no address",
                "trustedProxies: [10.0.0]|trustedProxies[0]|is no address",
                "trustedProxies: [10]|trustedProxies[0]|'10' is a number where a text is due; put it in quotes: \"10\"",
                "forwardedHeader: X-Forwarded-For|forwardedHeader|'X-Forwarded-For' is unknown; did you mean 'x-forwarded-for'?; available: x-forwarded-for, forwarded",
                "ipv6Prefix: 0|ipv6Prefix|'0' is out of range; give a whole number between 1 and 128",
                "ipv6Prefix: 129|ipv6Prefix|'129' is out of range",
                "ipv6Prefix: 64.0|ipv6Prefix|'64.0' stands where a number is due: a whole number between 1 and 128, in plain digits",
                "ipv6Prefix: \"64\"|ipv6Prefix|without quotes",
                "exempt: { path: /x }|exempt|a mapping stands where a list is due: conditions, such as { path: /health }",
                "exempt: [{}]|exempt[0]|an empty condition holds for every request and would free everybody; give at least one of path, methods",
                "exempt: [{ path: [] }]|exempt[0].path|an empty list says nothing; give a pattern",
                "exempt: [{ attributes: {} }]|exempt[0].attributes|an empty mapping says nothing",
                "exempt: [{ attributes: { a: [] } }]|exempt[0].attributes.a|an empty list says nothing",
                "exempt: [{ attributes: { a: } }]|exempt[0].attributes.a|no value stands where a single value is due",
                "exempt: [{ attributes: { a: { b: c } } }]|exempt[0].attributes.a|a mapping stands where a single value is due",
                "exempt: [{ attributes: { a: 1, a: 2 } }]|exempt[0].attributes.a|the field 'a' stands twice",
                "exempt: [/health]|exempt[0]|'/health' stands where a mapping is due; its fields are path, methods",
                "exempt: [{ path: health }]|exempt[0].path|'health': a path starts with '/'",
                "exempt: [{ path: /a*b }]|exempt[0].path|'/a*b': 'a*b' mixes a wildcard with text",
                "exempt: [{ cost: 1 }]|exempt[0].cost|unknown field 'cost'",
                "costs: [{ path: /x }]|costs[0].cost|the field 'cost' is missing; give what these requests cost",
                "costs: [{ path: /x, resolver: page size }]|costs[0].resolver|'page size' is no name; a name is made of letters",
                "costs: [{ path: /x, resolver: }]|costs[0].resolver|no value stands where a text is due",
                "costs: [{ path: /x, resolver: r, cost: -1 }]|costs[0].cost|'-1' is out of range",
                "costs: [{ path: /x, cost: 1, resolvers: r }]|costs[0].resolvers|unknown field 'resolvers'",
                "costs: [{ cost: -1 }]|costs[0].cost|'-1' is out of range; give a whole number between 0 and 999999999999999",
                "costs: [{ cost: 1.5 }]|costs[0].cost|'1.5' stands where a number is due",
                "costs: [{ cost: 1e3 }]|costs[0].cost|'1e3' stands where a number is due",
                "costs: [{ cost: 99999999999999999999999999999999999 }]|costs[0].cost|is out of range",
                "costs: [{ cost: }]|costs[0].cost|no value stands where a number is due",
                "sharing: exakt|sharing|'exakt' is unknown; did you mean 'exact'?; available: exact, host",
                "sharing: leased|sharing|'leased' is not available yet; available: exact, host",
                "sharing: eventual|sharing|'eventual' is not available yet",
                "onFailure: opne|onFailure|did you mean 'open'?; available: local, open, closed",
                "onFailure: true|onFailure|'true' is a truth value where a text is due; put it in quotes",
                "storeTimeout: 20|storeTimeout|'20' has no unit; write for example 20ms",
                "storeTimeout: 0ms|storeTimeout|'0ms' is out of range; give a duration between 1ms and 10s",
                "storeTimeout: PT0.0009S|storeTimeout|is out of range",
                "storeTimeout: 11s|storeTimeout|'11s' is out of range",
                "storeTimeout: -1s|storeTimeout|'-1s' is negative",
                "storeTimeout: [1s]|storeTimeout|a list stands where a single value is due",
            })
    void aWrongFieldOfTheTopIsNamedWithItsPlaceAndWhatWouldBeRight(String line, String field, String fragment) {
        RuleProblem problem = onlyProblem("service: orders\nrules: []\n" + line);

        assertThat(problem.line()).isEqualTo(3);
        assertThat(problem.column()).isPositive();
        assertThat(problem.rule()).isNull();
        assertThat(problem.field()).isEqualTo(field);
        assertThat(problem.message()).contains(fragment);
    }

    /** A field of a rule that has a name and a limit already, in line 5. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "limit: 5/s|limit|unknown field 'limit'; did you mean 'limits'?; valid fields are name, match, key, limits",
                "unlimied: true|unlimied|unknown field 'unlimied'",
                "limits: 5/s|limits|the field 'limits' stands twice in one mapping, first in line 4; keep one",
                "match: /x|match|'/x' stands where a mapping is due; its fields are path, methods, operation, user, ip, attributes",
                "match:|match|no value stands where a mapping is due",
                "match: { method: GET }|match.method|did you mean 'methods'?",
                "match: { methods: get }|match.methods|methods are case-sensitive and 'get' would never match; write 'GET'",
                "match: { methods: [GET, Post] }|match.methods[1]|write 'POST'",
                "match: { methods: [\"GET, POST\"] }|match.methods[0]|is no method; write a single method",
                "match: { methods: [] }|match.methods|an empty list says nothing",
                "match: { user: 42 }|match.user|'42' is a number where a text is due; put it in quotes: \"42\"",
                "match: { user: \"\" }|match.user|the text is blank",
                "match: { operation: [export, ~] }|match.operation[1]|no value stands where a text is due",
                "match: { ip: 192.0.2.1/24 }|match.ip|the network is 192.0.2.0/24",
                "match: { path: [/a, ../b] }|match.path[1]|a path starts with '/'",
                "key: usr|key|'usr' is no identity; did you mean 'user'?",
                "key: [user, ipp]|key[1]|did you mean 'ip'?",
                "key: [user, service]|key[1]|'service' is no identity: it stands alone under 'key'",
                "key: [user, user]|key|'user' stands twice",
                "key: []|key|an empty list says nothing",
                "key: { any: [] }|key.any|an empty list says nothing",
                "key: { any: [user, service] }|key.any[1]|'service' is no identity",
                "key: { any: user, all: ip }|key.all|unknown field 'all'; valid fields are any",
                "mathc: {}|mathc|unknown field 'mathc'; did you mean 'match'?",
                "key: {}|key.any|the field 'any' is missing",
                "key: header|key|'header' needs a name behind it: header:NAME",
                "overrides: { when: { user: ops }, unlimited: true }|overrides|a mapping stands where a list is due",
                "overrides: [{ when: {}, unlimited: true }]|overrides[0].when|an empty condition holds for every request",
                "overrides: [{ unlimited: true }]|overrides[0].when|the field 'when' is missing",
                "overrides: [{ when: { user: ops } }]|overrides[0].limits|the field 'limits' is missing; give 20/s",
                "overrides: [{ when: { user: ops }, unlimied: true, limits: 1/s }]|overrides[0].unlimied|did you mean 'unlimited'?; valid fields are when, limits, unlimited",
                "overrides: [{ when: { user: ops }, unlimited: false }]|overrides[0].unlimited|'false' stands where only true makes sense",
                "overrides: [{ when: { user: ops }, unlimited: \"true\" }]|overrides[0].unlimited|'true' stands where only true makes sense",
                "overrides: [{ when: { user: ops }, unlimited: true, limits: 1/s }]|overrides[0].unlimited|contradict each other",
                "overrides: [{ when: { user: ops }, limits: 60 }]|overrides[0].limits|'60' has no period",
                "onExceeded: queue|onExceeded|'queue' is not available yet; available: reject",
                "onExceeded: drop|onExceeded|'drop' is not available yet",
                "onExceeded: shadow|onExceeded|'shadow' is not available yet",
                "onExceeded: rejct|onExceeded|did you mean 'reject'?",
                "onExceeded: 503|onExceeded|is a number where a text is due",
                "onExceeded: { queue: 10 }|onExceeded.queue|'queue' is not available yet; available: status",
                "onExceeded: { maxWait: 5s }|onExceeded.maxWait|'maxWait' is not available yet",
                "onExceeded: { status: 200 }|onExceeded.status|'200' is out of range; give a whole number between 400 and 599",
                "onExceeded: { status: \"503\" }|onExceeded.status|without quotes",
                "onExceeded: { code: 503 }|onExceeded.code|unknown field 'code'; valid fields are status",
                "onExceeded: {}|onExceeded.status|the field 'status' is missing",
                "charge: request|charge|'request' stands where a mapping is due",
                "charge: { when: response }|charge.when|'response' is not available yet; available: request",
                "charge: { when: later }|charge.when|'later' is unknown; available: request",
                "charge: { when: request, status: [401] }|charge.status|'status' is not available yet",
                "charge: {}|charge.when|the field 'when' is missing",
                "sharing: leased|sharing|'leased' is not available yet; available: exact, host",
                "onFailure: shut|onFailure|'shut' is unknown; available: local, open, closed",
                "storeTimeout: 1h|storeTimeout|is out of range; give a duration between 1ms and 10s",
            })
    void aWrongFieldOfARuleIsNamedWithTheRule(String line, String field, String fragment) {
        RuleProblem problem = onlyProblem("service: orders\nrules:\n  - name: login\n    limits: 5/m\n    " + line);

        assertThat(problem.line()).isEqualTo(5);
        assertThat(problem.column()).isGreaterThanOrEqualTo(5);
        assertThat(problem.rule()).isEqualTo("login");
        assertThat(problem.field()).isEqualTo("rules[0]." + field);
        assertThat(problem.message()).contains(fragment);
        assertThat(problem.toString()).startsWith("rules.yaml:5:").contains("rule 'login', field rules[0].");
    }

    /** The limits of a rule, in line 4. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "-5|limits|'-5' is negative; write for example 20/s",
                "0.5|limits|'0.5' is no whole number in plain digits and has no period",
                "1e3|limits|'1e3' is no whole number in plain digits and has no period",
                "60|limits|'60' has no period; write for example 60/s, 60/m",
                "\"60\"|limits|'60' has no period",
                "null|limits|no value stands where a single value is due: 20/s",
                "|limits|no value stands where a single value is due: 20/s",
                "[]|limits|an empty list says nothing; give 20/s",
                "true|limits|'true' is no limit",
                "[5/s, -1/s]|limits[1]|'-1/s': the number of tokens is a whole number",
                "5 per 0s|limits|a period is longer than 0",
                "5 per -1s|limits|'-1s' is negative",
                "[unlimited, 5/s]|limits[0]|'unlimited' stands alone",
                "[5/s, 0]|limits[1]|a limit of 0 refuses every request; leave out the limits beside it",
                "[5/s, 9/s]|limits[1]|'9 per 1s' has the same period and algorithm as rules[0].limits[0] in line 4",
                "[60/m, { tokens: 5, per: 60s }]|limits[1]|has the same period and algorithm",
                "[[5/s]]|limits[0]|a list stands where a single value is due",
                "{ per: 1m }|limits.tokens|the field 'tokens' is missing",
                "{ tokens: 2 }|limits.per|the field 'per' is missing; give a period",
                "{ tokens: -2, per: 1m }|limits.tokens|'-2' is out of range; give a whole number between 0",
                "{ tokens: 0.5, per: 1m }|limits.tokens|'0.5' stands where a number is due",
                "{ tokens: 1e3, per: 1m }|limits.tokens|'1e3' stands where a number is due",
                "{ tokens: , per: 1m }|limits.tokens|no value stands where a number is due",
                "{ tokens: \"2\", per: 1m }|limits.tokens|without quotes",
                "{ tokens: 9223372036854775807, per: 1d }|limits.tokens|is out of range; give a whole number between 0 and 999999999999999",
                "{ tokens: 2, per: 0s }|limits.per|a period is longer than 0",
                "{ tokens: 2, per: -1s }|limits.per|is negative",
                "{ tokens: 2, per: 60 }|limits.per|'60' is a number where a text is due",
                "{ tokens: 2, per: 1m, burst: 0 }|limits.burst|'0' is out of range; give a whole number between 1",
                "{ tokens: 0, per: 1m, burst: 1 }|limits|a limit of 0 refuses always and takes no burst",
                "{ tokens: 2, per: 1m, bust: 3 }|limits.bust|did you mean 'burst'?; valid fields are tokens, per, burst, algorithm",
                "{ tokens: 2, per: 1m, algorithm: tokenbucket }|limits.algorithm|did you mean 'token-bucket'?; available: token-bucket",
                "{ tokens: 2, per: 1m, algorithm: leaky-bucket }|limits.algorithm|'leaky-bucket' is not available yet; available: token-bucket",
                "{ tokens: 2, per: 1m, algorithm: gcra }|limits.algorithm|'gcra' is not available yet",
                "{ tokens: 2, per: 1m, algorithm: fixed-window }|limits.algorithm|'fixed-window' is not available yet",
                "{ tokens: 2, per: 1m, algorithm: sliding-window-log }|limits.algorithm|is not available yet",
                "{ tokens: 2, per: 1m, precision: 6, algorithm: sliding-window-counter }|limits.algorithm|is not available yet",
                "{ inFlight: 10, algorithm: concurrency }|limits.algorithm|'concurrency' is not available yet",
                "{ tokens: 2, per: 1m, algorithm: warm-up }|limits.algorithm|'warm-up' is not available yet",
                "{ tokens: 2, per: 1m, refill: interval }|limits.refill|'interval' is not available yet; available: greedy",
                "{ tokens: 2, per: 1m, refill: slow }|limits.refill|'slow' is unknown; available: greedy",
                "{ tokens: 2, per: 1m, align: clock }|limits.align|'clock' is not available yet; available: client",
                "{ tokens: 2, per: 1m, zone: UTC }|limits.zone|'zone' is not available yet; available: tokens, per",
                "{ tokens: 2, per: 1m, precision: 6 }|limits.precision|'precision' is not available yet",
                "{ tokens: 2, per: 1m, minInterval: 1s }|limits.minInterval|'minInterval' is not available yet",
                "{ tokens: 2, per: 1m, chargeRefused: true }|limits.chargeRefused|is not available yet",
                "{ tokens: 2, per: 1m, penalty: { after: 3 } }|limits.penalty|is not available yet",
            })
    void aWrongLimitIsRefusedWithTheRuleAndWhatWouldBeRight(String limits, String field, String fragment) {
        RuleProblem problem = onlyProblem(
                "service: orders\nrules:\n  - name: login\n    limits: " + (limits == null ? "" : limits) + "\n");

        assertThat(problem.line()).isEqualTo(4);
        assertThat(problem.rule()).isEqualTo("login");
        assertThat(problem.field()).isEqualTo("rules[0]." + field);
        assertThat(problem.message()).contains(fragment);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "rules: []|1|service|the field 'service' is missing",
                "service: orders|1|rules|the field 'rules' is missing; give a list of rules, or rules: [] for none",
                "service: orders\\nrules:|2|rules|no value stands where a list is due: rules, or [] for none",
                "service: orders\\nrules: null|2|rules|no value stands where a list is due",
                "service: orders\\nrules: {}|2|rules|a mapping stands where a list is due",
                "service: a b\\nrules: []|1|service|'a b' is no name; a name is made of letters, digits, '.', '_' and '-'",
                "service: 42\\nrules: []|1|service|put it in quotes",
                "service: \\nrules: []|1|service|no value stands where a text is due",
                "service: o\\nrules: [x]|2|rules[0]|'x' stands where a mapping is due; its fields are name, match",
                "service: o\\nrules: [{ limits: 1/s }]|2|rules[0].name|the field 'name' is missing",
                "service: o\\nrules: [{ name: a/b, limits: 1/s }]|2|rules[0].name|'a/b' is no name",
                "service: o\\nrules: [{ name: 1, limits: 1/s }]|2|rules[0].name|put it in quotes",
                "service: o\\nrules: [{ name: r }]|2|rules[0].limits|the field 'limits' is missing",
            })
    void whatIsMissingOrMisnamedIsSaid(String text, int line, String field, String fragment) {
        RuleProblem problem = onlyProblem(text.replace("\\n", "\n"));

        assertThat(problem.line()).isEqualTo(line);
        assertThat(problem.field()).isEqualTo(field);
        assertThat(problem.message()).contains(fragment);
    }

    @Test
    void twoRulesOfOneNameAreRefusedWithBothLines() {
        RuleProblem problem = onlyProblem("""
                service: orders
                rules:
                  - name: login
                    limits: 5/m
                  - name: other
                    limits: 5/m
                  - name: login
                    limits: 9/m
                """);

        assertThat(problem.line()).isEqualTo(7);
        assertThat(problem.rule()).isEqualTo("login");
        assertThat(problem.field()).isEqualTo("rules[2].name");
        assertThat(problem.message())
                .isEqualTo("two rules are named 'login', in line 3 and in line 7; give one of them another name");
    }

    @Test
    void aKeyThatStandsTwiceInJsonIsRefusedToo() {
        RuleProblem problem = onlyProblem("""
                {
                  "service": "orders",
                  "rules": [
                    { "name": "r",
                      "limits": "5/m",
                      "limits": "9/m" }
                  ]
                }
                """);

        assertThat(problem.line()).isEqualTo(6);
        assertThat(problem.column()).isEqualTo(7);
        assertThat(problem.rule()).isEqualTo("r");
        assertThat(problem.field()).isEqualTo("rules[0].limits");
        assertThat(problem.message()).contains("stands twice in one mapping, first in line 5");
    }

    @Test
    void oneBadRuleAmongGoodOnesRefusesTheSet() {
        StringBuilder text = new StringBuilder("service: orders\nrules:\n");
        for (int i = 0; i < 10; i++) {
            text.append("  - { name: r")
                    .append(i)
                    .append(", limits: ")
                    .append(i == 6 ? "-1/s" : "1/s")
                    .append(" }\n");
        }

        RuleProblem problem = onlyProblem(text.toString());

        assertThat(problem.line()).isEqualTo(9);
        assertThat(problem.rule()).isEqualTo("r6");
        assertThat(problem.field()).isEqualTo("rules[6].limits");
    }

    @Test
    void allProblemsAreNamedInTheOrderOfTheDocument() {
        List<RuleProblem> problems = problems("""
                rules:
                  - limits: 60
                    name: first
                    sharing: leased
                    mach: {}
                  - name: second
                    onExceeded: queue
                    limits: [1/s, 0.5/s, 2/s]
                storeTimeout: 1h
                service: "a b"
                """);

        assertThat(problems)
                .extracting(RuleProblem::line, RuleProblem::rule, RuleProblem::field)
                .containsExactly(
                        tuple(2, "first", "rules[0].limits"),
                        tuple(4, "first", "rules[0].sharing"),
                        tuple(5, "first", "rules[0].mach"),
                        tuple(7, "second", "rules[1].onExceeded"),
                        tuple(8, "second", "rules[1].limits[1]"),
                        tuple(8, "second", "rules[1].limits[2]"),
                        tuple(9, null, "storeTimeout"),
                        tuple(10, null, "service"));
    }

    @Test
    void aValueCannotForgeALineOfTheLog() {
        RuleProblem problem =
                onlyProblem("service: \"x\\nERROR \\e[31m\\u202Efake" + "z".repeat(300) + "\"\nrules: []\n");

        assertThat(problem.message())
                .contains("'x\\u000aERROR \\u001b[31m\\u202efakezzz")
                .contains("…")
                .hasSizeLessThan(250)
                .doesNotContain("\n", "\u001b", "\u202E");
    }

    @Test
    void aFieldNameCannotForgeALineOfTheLogEither() {
        RuleProblem problem = onlyProblem("service: o\nrules: []\n? \"a\\nb" + "z".repeat(3_000) + "\"\n: 1\n");

        assertThat(problem.field()).startsWith("a\\u000abzz").hasSizeLessThan(120);
        assertThat(problem.message()).startsWith("unknown field 'a\\u000abzz").hasSizeLessThan(400);
    }

    @Test
    void aMisspeltFieldIsNamedBeforeTheFieldThatItLeavesMissing() {
        List<RuleProblem> problems = problems("service: s\nrules:\n  - name: r\n    limts: [1/s]\n");
        assertThat(problems).extracting(RuleProblem::field).containsExactly("rules[0].limts", "rules[0].limits");
        assertThat(problems.get(0).line()).isEqualTo(4);
        assertThat(problems.get(0).message()).startsWith("unknown field 'limts'; did you mean 'limits'?");
    }

    private RuleProblem onlyProblem(String text) {
        List<RuleProblem> problems = problems(text);
        assertThat(problems).hasSize(1);
        return problems.get(0);
    }

    private List<RuleProblem> problems(String text) {
        RulesDocument document = new RulesDocument("rules.yaml", text.getBytes(StandardCharsets.UTF_8), "tag", 1);
        RulesException refused = catchThrowableOfType(RulesException.class, () -> parser.parse(document));
        assertThat(refused).as("the document is refused: %s", text).isNotNull();
        return refused.problems();
    }
}
