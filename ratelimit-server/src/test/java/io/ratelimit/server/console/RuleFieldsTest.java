package io.ratelimit.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.rules.RulesException;
import io.ratelimit.server.document.RuleTree;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RuleFieldsTest {

    private final RuleFields fields = new RuleFields();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{ name: a, limits: 20/s }",
                "{ name: a, limits: [20/s], key: [user, ip], onExceeded: { status: 503 } }",
                "{ name: a, limits: 0, key: 'header:X-Api-Key', onExceeded: reject }",
                "{ name: a, limits: [20/s, { tokens: 5, per: 1h, penalty: { after: 3, for: 10m } }], key: service }",
                "{ name: a, limits: unlimited, match: { path: [/a, /b], methods: GET, operation: [x, 'y, z'] } }",
                "{ name: a, limits: 1/s, match: { user: ops }, onExceeded: { queue: 10, maxWait: 5s, status: 503 } }",
                "{ name: a, limits: 1/s, key: { any: [user, ip] }, charge: { when: response, status: 4xx }, sharing: host }",
                "{ name: a, limits: { tokens: 5, algorithm: concurrency }, onExceeded: drop, overrides: [ { when: { user: o }, unlimited: true } ] }"
            })
    void aFormThatIsSentAsItCameChangesNothing(String text) throws RulesException {
        RuleTree rule = RuleTree.parse(text);

        assertThat(fields.rule(fields.form(rule), rule)).isEqualTo(rule);
    }

    @Test
    void whatIsEmptiedIsLeftOut() throws RulesException {
        RuleTree rule = RuleTree.parse(
                "{ name: a, match: { path: /a }, key: ip, limits: 1/s, onExceeded: { status: 503 }, sharing: host }");
        RuleForm emptied = new RuleForm("b", "", "", "", "client", "", "1/s", "reject", "", "", "");

        assertThat(fields.rule(emptied, rule).toString()).isEqualTo("{ name: b, limits: 1/s, sharing: host }");
    }

    @Test
    void whatIsTypedIsNoYaml() throws RulesException {
        RuleTree rule = RuleTree.parse("{ name: a, limits: 1/s }");
        RuleForm typed = new RuleForm(
                "x, limits: unlimited", "/a]\nb: c", "", "*anchor", "header", "X: y", "0", "queue", "1e3", "{}", "#");

        RuleTree changed = fields.rule(typed, rule);

        assertThat(RuleTree.parse(changed.yaml())).isEqualTo(changed);
        assertThat(changed.json().get("name").asText()).isEqualTo("x, limits: unlimited");
        assertThat(changed.json().get("match").get("path").get(1).asText()).isEqualTo("b: c");
        assertThat(changed.json().get("key").asText()).isEqualTo("header:X: y");
        assertThat(changed.json().get("onExceeded").get("queue").asText()).isEqualTo("{}");
    }

    @Test
    void theRestIsWhatTheFormDoesNotShow() throws RulesException {
        RuleTree rule = RuleTree.parse(
                "{ name: a, match: { path: /a, user: ops }, key: [user, ip], limits: 1/s, onExceeded: drop, sharing: host }");

        assertThat(fields.rest(rule)).isEqualTo("match: { user: ops }\nkey: [user, ip]\nsharing: host\n");
        assertThat(fields.rest(RuleTree.parse("{ name: a, match: { path: /a }, key: ip, limits: 1/s }")))
                .isEmpty();
    }
}
