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
import org.junit.jupiter.params.provider.ValueSource;

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
                "sharing: exakt|sharing|'exakt' is unknown; did you mean 'exact'?; available: exact, leased, eventual, host",
                "sharing: no|sharing|'no' is unknown; available: exact, leased, eventual, host",
                "sharing: eventually|sharing|did you mean 'eventual'?",
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
                "onExceeded: queue|onExceeded|a queue needs its places and the longest wait; write onExceeded: { queue: 10, maxWait: 5s }",
                "onExceeded: dorp|onExceeded|did you mean 'drop'?",
                "onExceeded: rejct|onExceeded|did you mean 'reject'?",
                "onExceeded: shadwo|onExceeded|did you mean 'shadow'?; available: reject, drop, shadow",
                "onExceeded:|onExceeded|no value stands where a text is due: one of reject, drop, shadow",
                "onExceeded: 503|onExceeded|a status stands in a field of its own; write onExceeded: { status: 503 }",
                "onExceeded: \"503\"|onExceeded|write onExceeded: { status: 503 }",
                "onExceeded: { queue: 10 }|onExceeded.maxWait|the field 'maxWait' is missing; give how long one may wait, such as maxWait: 5s",
                "onExceeded: { queue: 0, maxWait: 5s }|onExceeded.queue|'0' is out of range; give a whole number between 1 and 10000",
                "onExceeded: { queue: 10, maxWait: 11m }|onExceeded.maxWait|'11m' is out of range; give a duration between 1ms and 10m",
                "onExceeded: { queue: 10, maxWait: 5 }|onExceeded.maxWait|'5' has no unit",
                "onExceeded: { queue: 10, maxWait: 5x }|onExceeded.maxWait|'5x'",
                "onExceeded: { maxWait: 5s }|onExceeded.queue|the field 'queue' is missing; give how many requests of a client may wait",
                "onExceeded: { status: 200 }|onExceeded.status|'200' is out of range; give a whole number between 400 and 599",
                "onExceeded: { status: \"503\" }|onExceeded.status|without quotes",
                "onExceeded: { code: 503 }|onExceeded.code|unknown field 'code'; valid fields are status, queue, maxWait",
                "onExceeded: { shadow: true }|onExceeded.shadow|unknown field 'shadow'; valid fields are status, queue, maxWait",
                "onExceeded: {}|onExceeded.status|the field 'status' is missing",
                "charge: request|charge|'request' stands where a mapping is due",
                "charge: { when: response }|charge.status|the field 'status' is missing; give statuses, such as status: [401, 403]",
                "charge: { when: response, status: [] }|charge.status|an empty list says nothing",
                "charge: { when: response, status: }|charge.status|no value stands where a number is due",
                "charge: { when: response, status: 99 }|charge.status|'99' is out of range; give a whole number between 100 and 599",
                "charge: { when: response, status: [401, 600] }|charge.status[1]|'600' is out of range",
                "charge: { when: response, status: 401.5 }|charge.status|'401.5' stands where a number is due",
                "charge: { when: response, status: -401 }|charge.status|'-401' is out of range",
                "charge: { when: response, status: \"401\" }|charge.status|'401' is no class of HTTP statuses; write one from 1xx to 5xx, or a status such as 401 without quotes",
                "charge: { when: response, status: 6xx }|charge.status|'6xx' is no class of HTTP statuses",
                "charge: { when: response, status: 5XX }|charge.status|'5XX' is no class of HTTP statuses",
                "charge: { when: response, status: 401, stauts: 403 }|charge.stauts|did you mean 'status'?; valid fields are when, status",
                "charge: { when: }|charge.when|no value stands where a text is due: one of request, response",
                "charge: { when: later }|charge.when|'later' is unknown; available: request, response",
                "charge: { when: respones }|charge.when|did you mean 'response'?",
                "charge: { when: request, status: [401] }|charge.status|'status' says which responses are charged; write when: response beside it",
                "charge: {}|charge.when|the field 'when' is missing",
                "sharing: eventually|sharing|did you mean 'eventual'?; available: exact, leased, eventual, host",
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
                "{ tokens: 2, per: 60 }|limits.per|'60' has no unit; write for example 60ms, 60s or 60m",
                "{ tokens: 2, per: }|limits.per|no value stands where a single value is due: a period such as 1m",
                "{ tokens: 2, per: 1m, burst: 0 }|limits.burst|'0' is out of range; give a whole number between 1",
                "{ tokens: 0, per: 1m, burst: 1 }|limits|a limit of 0 refuses always and takes no burst",
                "{ tokens: 2, per: 1m, bust: 3 }|limits.bust|did you mean 'burst'?; valid fields are tokens, per, burst, algorithm",
                "{ tokens: 2, per: 1m, algorithm: tokenbucket }|limits.algorithm|did you mean 'token-bucket'?; available: token-bucket, leaky-bucket, gcra, fixed-window",
                "{ tokens: 2, algorithm: concurency }|limits.algorithm|did you mean 'concurrency'?",
                "{ tokens: 2, per: 1m, algorithm: }|limits.algorithm|no value stands where a text is due: one of token-bucket",
                "{ tokens: 2, per: 1m, refill: slow }|limits.refill|'slow' is unknown; available: greedy, interval",
                "{ tokens: 2, per: 1m, refill: }|limits.refill|no value stands where a text is due",
                "{ tokens: 2, per: 1m, refil: interval }|limits.refil|did you mean 'refill'?",
                "{ tokens: 2, per: 1m, refill: interval, algorithm: gcra }|limits|gcra does not refill by interval: leave refill out, or use token-bucket",
                "{ tokens: 2, per: 1m, burst: 3, algorithm: fixed-window }|limits|fixed-window has no burst: leave the burst of 3 out, or use token-bucket",
                "{ tokens: 2, per: 1m, burst: 3, algorithm: sliding-window-log }|limits|sliding-window-log has no burst",
                "{ tokens: 2, per: 1m, burst: 3, algorithm: sliding-window-counter }|limits|sliding-window-counter has no burst",
                "{ tokens: 10001, per: 1m, algorithm: sliding-window-log }|limits|takes at most 10000 per period, not 10001: use sliding-window-counter",
                "{ tokens: 2, per: 1m, align: clok }|limits.align|did you mean 'clock'?; available: client, clock",
                "{ tokens: 2, per: 1m, align: clock }|limits|token-bucket has no windows that could begin with the clock: leave align out, or use fixed-window",
                "{ tokens: 2, per: 1m, align: clock, algorithm: sliding-window-log }|limits|sliding-window-log has no windows",
                "{ tokens: 2, per: 7m, align: clock, algorithm: fixed-window }|limits|align: clock goes with a period that divides a day",
                "{ tokens: 2, per: 1m, zone: UTC }|limits.zone|write align: clock beside it, or leave it out",
                "{ tokens: 2, per: 1m, align: clock, zone: Europe/Berln, algorithm: fixed-window }|limits.zone|'Europe/Berln' is no time zone; did you mean 'Europe/Berlin'?",
                "{ tokens: 2, per: 1m, align: clock, zone: +01:00, algorithm: fixed-window }|limits.zone|'+01:00' is no time zone",
                "{ tokens: 2, per: 1m, align: clock, zone: 1, algorithm: fixed-window }|limits.zone|is a number where a text is due",
                "{ tokens: 2, per: 1m, align: clock, zone: , algorithm: fixed-window }|limits.zone|no value stands where a text is due: a time zone such as Europe/Berlin",
                "{ tokens: 2, per: 1m, precision: 6 }|limits|token-bucket has no sub-windows: leave precision out, or use sliding-window-counter",
                "{ tokens: 2, per: 1m, precison: 6, algorithm: sliding-window-counter }|limits.precison|did you mean 'precision'?",
                "{ tokens: 2, per: 1m, precision: 0, algorithm: sliding-window-counter }|limits.precision|'0' is out of range; give a whole number between 1 and 1000",
                "{ tokens: 2, per: 1m, precision: -1, algorithm: sliding-window-counter }|limits.precision|'-1' is out of range",
                "{ tokens: 2, per: 1m, precision: 1001, algorithm: sliding-window-counter }|limits.precision|'1001' is out of range",
                "{ tokens: 2, per: 1m, precision: 1.5, algorithm: sliding-window-counter }|limits.precision|'1.5' stands where a number is due",
                "{ tokens: 2, per: 1m, precision: \"6\", algorithm: sliding-window-counter }|limits.precision|without quotes",
                "{ tokens: 2, per: 1m, precision: , algorithm: sliding-window-counter }|limits.precision|no value stands where a number is due",
                "{ tokens: 2, per: 1s, precision: 7, algorithm: sliding-window-counter }|limits|needs a precision that divides its period into whole nanoseconds, which 7 does not",
                "{ tokens: 2, per: 1m, precision: 6, align: clock, algorithm: sliding-window-counter }|limits|has a precision of more than 1 only where windows begin with the client",
                "{ tokens: 2, per: 1m, minIntervall: 1s }|limits.minIntervall|did you mean 'minInterval'?",
                "{ tokens: 2, per: 1m, minInterval: 0s }|limits.minInterval|'0s' is no time; give a duration such as 100ms, or leave the field out",
                "{ tokens: 2, per: 1m, minInterval: -1s }|limits.minInterval|'-1s' is negative",
                "{ tokens: 2, per: 1m, minInterval: 1.5s }|limits.minInterval|has a fraction",
                "{ tokens: 2, per: 1m, minInterval: 100 }|limits.minInterval|'100' has no unit",
                "{ tokens: 2, per: 1m, minInterval: 200y }|limits.minInterval|is too long",
                "{ tokens: 2, per: 1m, minInterval: }|limits.minInterval|no value stands where a single value is due: a duration such as 100ms",
                "{ tokens: 2, minInterval: 1s, algorithm: concurrency }|limits|concurrency counts requests that are under way and has no minInterval",
                "{ tokens: 2, per: 1m, chargeRefused: yes }|limits.chargeRefused|'yes' stands where true or false is due",
                "{ tokens: 2, per: 1m, chargeRefused: \"true\" }|limits.chargeRefused|'true' stands where true or false is due, without quotes",
                "{ tokens: 2, per: 1m, chargeRefused: 1 }|limits.chargeRefused|'1' stands where true or false is due",
                "{ tokens: 2, per: 1m, chargeRefused: }|limits.chargeRefused|no value stands where true or false is due",
                "{ tokens: 2, chargeRefused: true, algorithm: concurrency }|limits|concurrency does not count refused requests",
                "{ tokens: 2, per: 1m, warmUp: 1m, chargeRefused: true, algorithm: warm-up }|limits|warm-up does not count refused requests",
                "{ tokens: 2, per: 1m, penalty: 3 }|limits.penalty|'3' stands where a mapping is due; its fields are after, for",
                "{ tokens: 2, per: 1m, penalty: { after: 3 } }|limits.penalty.for|the field 'for' is missing; give a duration, such as for: 10m",
                "{ tokens: 2, per: 1m, penalty: { for: 10m } }|limits.penalty.after|the field 'after' is missing; give a number of refusals",
                "{ tokens: 2, per: 1m, penalty: { after: 0, for: 10m } }|limits.penalty.after|'0' is out of range; give a whole number between 1",
                "{ tokens: 2, per: 1m, penalty: { after: -3, for: 10m } }|limits.penalty.after|'-3' is out of range",
                "{ tokens: 2, per: 1m, penalty: { after: 1.5, for: 10m } }|limits.penalty.after|'1.5' stands where a number is due",
                "{ tokens: 2, per: 1m, penalty: { after: \"3\", for: 10m } }|limits.penalty.after|without quotes",
                "{ tokens: 2, per: 1m, penalty: { after: 3, for: 0s } }|limits.penalty.for|'0s' is no time; give a duration such as 10m",
                "{ tokens: 2, per: 1m, penalty: { after: 3, for: 10 } }|limits.penalty.for|'10' has no unit",
                "{ tokens: 2, per: 1m, penalty: { after: 3, for: } }|limits.penalty.for|no value stands where a single value is due",
                "{ tokens: 2, per: 1m, penalty: { after: 3, for: 10m, times: 2 } }|limits.penalty.times|unknown field 'times'; valid fields are after, for",
                "{ tokens: 2, penalty: { after: 3, for: 10m }, algorithm: concurrency }|limits|concurrency has no penalty",
                "{ tokens: 2, per: 1m, warmUp: 1m, penalty: { after: 3, for: 10m }, algorithm: warm-up }|limits|warm-up has no penalty",
                "{ tokens: 2, per: 1m, warmUp: 30s }|limits|token-bucket does not warm up: leave warmUp out, or use warm-up",
                "{ tokens: 2, per: 1m, algorithm: warm-up }|limits|warm-up needs the time in which the rate climbs, such as warmUp: 30s",
                "{ tokens: 2, per: 1m, warmUp: 0s, algorithm: warm-up }|limits.warmUp|'0s' is no time; give a duration such as 30s",
                "{ tokens: 2, per: 1m, warmUp: 30, algorithm: warm-up }|limits.warmUp|'30' has no unit",
                "{ tokens: 2, per: 1m, warmup: 30s }|limits.warmup|did you mean 'warmUp'?",
                "{ tokens: 2, per: 1m, adaptive: true }|limits|token-bucket learns nothing: leave adaptive out, or use concurrency",
                "{ tokens: 2, adaptive: on, algorithm: concurrency }|limits.adaptive|'on' stands where true or false is due",
                "{ tokens: 20, burst: 10, adaptive: true, algorithm: concurrency }|limits|less than the 20 that it starts with: 10",
                "{ tokens: 2, burst: 3, algorithm: concurrency }|limits|concurrency has no burst: leave the burst of 3 out, or write adaptive: true",
                "{ tokens: 2, per: 1m, algorithm: concurrency }|limits.per|concurrency counts requests that are under way and has no period; leave 'per' out",
                "{ tokens: 2, inFlight: 3, algorithm: concurrency }|limits.inFlight|unknown field 'inFlight'",
                "{ tokens: 0, per: 1m, minInterval: 1s }|limits|a limit of 0 refuses always, however it counts; leave the other options out",
                "[{ tokens: 2, algorithm: concurrency }, { tokens: 3, algorithm: concurrency }]|limits[1]|the limit '{ tokens: 3, algorithm: concurrency }' has the same period and algorithm as rules[0].limits[0] in line 4; keep one",
                "[{ tokens: 5, per: 1m, algorithm: gcra }, 5/s, { tokens: 9, per: 60s, algorithm: gcra }]|limits[2]|has the same period and algorithm as rules[0].limits[0]",
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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "limits: { tokens: 5, algorithm: concurrency }",
                "limits: [9/s, { tokens: 5, algorithm: concurrency }]",
                "limits: 9/s, overrides: [{ when: { user: ops }, limits: { tokens: 5, algorithm: concurrency } }]",
                "limits: { tokens: 5, algorithm: concurrency }, sharing: exact"
            })
    void whatHostsCannotShareIsRefusedUnlessItIsSaidThatTheyDoNot(String fields) {
        RuleProblem problem = onlyProblem("service: o\nrules:\n  - { name: slow, " + fields + " }\n");

        assertThat(problem.line()).isEqualTo(3);
        assertThat(problem.rule()).isEqualTo("slow");
        assertThat(problem.message())
                .isEqualTo("the limit '{ tokens: 5, algorithm: concurrency }' measures what happens on one host, and"
                        + " hosts cannot share it; write sharing: host in the rule");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{ tokens: 5, per: 1m, algorithm: fixed-window }|nobody can wait for a turn under the limit",
                "{ tokens: 5, per: 1m, algorithm: sliding-window-log }|goes with token-bucket, gcra, leaky-bucket and warm-up",
                "[9/s, { tokens: 5, per: 1m, algorithm: fixed-window }]|nobody can wait",
                "{ tokens: 5, per: 1m, chargeRefused: true }|makes refused requests pay, and one that waits is refused first",
                "{ tokens: 5, per: 1m, penalty: { after: 3, for: 1m } }|leave penalty and chargeRefused out, or the queue",
                "9/s, charge: { when: response, status: 401 }|paid for before the response is known"
            })
    void aQueueIsRefusedUnderALimitThatNobodyCanWaitFor(String limits, String message) {
        RuleProblem problem = onlyProblem("service: o\nrules:\n  - { name: slow, limits: " + limits
                + ", onExceeded: { queue: 10, maxWait: 5s } }\n");

        assertThat(problem.rule()).isEqualTo("slow");
        assertThat(problem.message()).contains(message);
    }

    @Test
    void aRuleThatSharesDoesSoEvenWhereTheOthersDoNot() {
        RuleProblem problem = onlyProblem("""
                service: o
                sharing: host
                rules:
                  - { name: alone, limits: { tokens: 5, per: 1s, algorithm: warm-up, warmUp: 1m } }
                  - { name: shared, sharing: exact, limits: { tokens: 5, per: 1s, algorithm: warm-up, warmUp: 1m } }
                """);

        assertThat(problem.line()).isEqualTo(5);
        assertThat(problem.rule()).isEqualTo("shared");
        assertThat(problem.message())
                .contains("'{ tokens: 5, per: 1s, algorithm: warm-up, warmUp: 1m }'", "write sharing: host");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ", key: ip", ", key: [user, ip]", ", key: { any: [user, ip] }"})
    void oneNumberIsLearnedForTheWholeService(String key) {
        RuleProblem problem = onlyProblem("service: o\nsharing: host\nrules:\n"
                + "  - { name: slow, limits: { tokens: 5, algorithm: concurrency, adaptive: true }" + key + " }\n");

        assertThat(problem.rule()).isEqualTo("slow");
        assertThat(problem.message())
                .contains("adaptive: true }' learns one number for all clients; write key: service");
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
                    sharing: eventually
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
