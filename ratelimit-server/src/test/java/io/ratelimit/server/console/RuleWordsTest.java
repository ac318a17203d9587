package io.ratelimit.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.rules.RuleSet;
import io.ratelimit.server.document.RulesReview;
import io.ratelimit.server.document.RulesReviewer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RuleWordsTest {

    private static RuleSet rules(String text) {
        RulesReview review = new RulesReviewer().review("the rules", text, null);
        return review.rules().orElseThrow(() -> new AssertionError(review.findings()));
    }

    private static RuleInWords rule(String fields) {
        return new RuleWords()
                .of(rules("service: orders\nrules:\n  - { name: a, " + fields + " }\n")
                        .rules()
                        .get(0));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            20/s                                                          | 20 per second
            20/s burst 40                                                 | 20 per second, 40 at once
            20/s burst 5                                                  | 20 per second, never more than 5 at once
            5 per 15m                                                     | 5 per 15 minutes
            1 per PT0.0000015S                                            | 1 per PT0.0000015S
            100000/d                                                      | 100,000 per day
            "0"                                                           | nothing: always refused
            unlimited                                                     | no limit
            { tokens: 5, per: 1h, algorithm: sliding-window-log }         | 5 per hour, by sliding-window-log
            { tokens: 5, per: 1d, algorithm: fixed-window, align: clock } | 5 per day, by fixed-window, by the calendar of UTC
            { tokens: 5, per: 1h, refill: interval }                      | 5 per hour, given back all at once
            { tokens: 5, per: 1h, minInterval: 1s }                       | 5 per hour, at least 1 second apart
            { tokens: 5, per: 1h, chargeRefused: true }                   | 5 per hour, refused requests count too
            { tokens: 5, per: 1h, penalty: { after: 1, for: 2m } }        | 5 per hour, after 1 refusal refused for 2 minutes
            { tokens: 5, algorithm: concurrency }                         | 5 at the same time
            { tokens: 5, algorithm: concurrency, adaptive: true }         | 5 at the same time, adapted to response times
            { tokens: 9, per: 1s, algorithm: warm-up, warmUp: 30s }       | 9 per second, by warm-up, rising for 30 seconds
            """)
    void limits(String limit, String words) {
        assertThat(String.join(
                        " and ",
                        rule("sharing: host, key: service, limits: " + limit).limits()))
                .isEqualTo(words);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            path: /a                              | all requests to /a
            path: [/a, /b, /c], methods: [PUT, GET] | GET or PUT requests to /a, /b or /c
            operation: export                     | all requests of the operation export
            user: [bob, alice]                    | all requests by the user alice or bob
            ip: [192.0.2.7, 192.0.2.0/24]         | all requests from 192.0.2.7 or 192.0.2.0/24
            attributes: { tier: gold, age: 7 }    | all requests with age 7 with tier gold
            path: [/a, /b, /c, /d, /e, /f, /g, /h] | all requests to /a, /b, /c, /d, /e, /f or one of 2 more
            """)
    void requests(String match, String words) {
        assertThat(rule("limits: 1/s, match: { " + match + " }").requests()).isEqualTo(words);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            service                | everybody together
            user                   | each user
            bearer                 | each bearer token
            "cookie:c"             | each value of the cookie c
            [user, "attribute:t"]  | each combination of user and value of the attribute t
            { any: [user, ip] }    | each user, or else each IP address
            """)
    void buckets(String key, String words) {
        assertThat(rule("limits: 1/s, key: " + key).bucket()).isEqualTo(words);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            reject                           | refused with status 429
            { status: 503 }                  | refused with status 503
            drop                             | the connection is closed without an answer
            shadow                           | only counted, nobody is refused
            { queue: 1, maxWait: 90s }       | waits in line, 1 place and at most 90 seconds; then refused with status 429
            """)
    void whatIsBeyond(String onExceeded, String words) {
        assertThat(rule("limits: 1/s, onExceeded: " + onExceeded).exceeded()).isEqualTo(words);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            charge: { when: response, status: [401, 5xx] } | counted only where the answer is 401 or 5xx
            sharing: leased                                | hosts take a share of the limit ahead of time
            onFailure: closed                              | if shared counts cannot be reached, requests are refused
            storeTimeout: 50ms                             | shared counts may take 50 milliseconds
            """)
    void howItCounts(String fields, String words) {
        RuleInWords rule = rule("limits: 1/s, key: ip, " + fields);

        assertThat(rule.counting()).containsExactly(words);
        assertThat(rule.exceptions()).isEmpty();
        assertThat(rule.parts()).containsEntry("Counted for", "each IP address; " + words);
    }

    @Test
    void exceptions() {
        RuleInWords rule = rule("limits: 1/s, overrides: [ { when: { user: ops }, limits: [1/s, 2/m] } ]");

        assertThat(rule.exceptions()).containsExactly("all requests by the user ops: 1 per second and 2 per minute");
        assertThat(rule.counting()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            clients: [bearer, ip]        | A client is: each bearer token, or else each IP address
            trustedProxies: 10.0.0.0/8   | Addresses are read from X-Forwarded-For if sent by: 10.0.0.0/8
            exempt: [ { path: /h } ]     | Never limited: all requests to /h
            costs: [ { path: /h, cost: 3 }, { path: /i, cost: 1 } ] | Costs: all requests to /h: 3 tokens, all requests to /i: 1 token
            onFailure: open              | Hosts: if shared counts cannot be reached, requests pass
            """)
    void settings(String setting, String words) {
        RuleSet rules = rules("service: orders\n" + setting + "\nrules: []\n");

        assertThat(new SettingsWords()
                        .of(rules).stream()
                                .map(said -> said.label() + ": " + String.join(", ", said.words()))
                                .collect(Collectors.toList()))
                .contains(words);
    }
}
