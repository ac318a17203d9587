package io.ratelimit.server.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.ratelimit.rules.RulesException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RuleTreeTest {

    @Test
    void yamlHasTheLayoutOfTheManual() throws Exception {
        String manual = """
                name: exports
                match: { path: "/users/{id}", methods: [GET, POST] }
                key: [user, "header:X-Api-Key"]
                limits: [20/s burst 40, { tokens: 2, per: 1m, algorithm: leaky-bucket }]
                onExceeded: { queue: 10, maxWait: 5s }
                overrides:
                  - { when: { attributes: { tier: gold } }, limits: [20/m] }
                  - { when: { user: ops }, unlimited: true }
                """;
        assertThat(RuleTree.parse(manual).yaml()).isEqualTo(manual);
        assertThat(RuleTree.parse(RuleTree.parse(manual).json().toPrettyString())
                        .yaml())
                .isEqualTo(manual);
    }

    @Test
    void whatIsLongGetsLinesOfItsOwn() throws Exception {
        RuleTree rule = RuleTree.parse("{name: a, match: {path: [" + "/a/long/path/of/many/segments, ".repeat(4)
                + "/b], methods: GET}, limits: 1/s}");
        assertThat(rule.yaml()).isEqualTo("""
                name: a
                match:
                  path:
                    - /a/long/path/of/many/segments
                    - /a/long/path/of/many/segments
                    - /a/long/path/of/many/segments
                    - /a/long/path/of/many/segments
                    - /b
                  methods: GET
                limits: 1/s
                """);
        assertThat(RuleTree.parse(rule.yaml())).isEqualTo(rule);
    }

    @Test
    void someFieldsAreChangedAndTheOthersKept() throws Exception {
        RuleTree rule = RuleTree.parse("name: a\nlimits: 1/s\nkey: ip\n");
        assertThat(rule.with("limits", TextNode.valueOf("2/s"))
                        .with("key", null)
                        .with("sharing", TextNode.valueOf("host"))
                        .yaml())
                .isEqualTo("name: a\nlimits: 2/s\nsharing: host\n");
        assertThat(rule.yaml()).contains("1/s", "key: ip");
    }

    static Stream<String> texts() {
        return Stream.concat(
                Stream.of(
                        "on",
                        "No",
                        "y",
                        "null",
                        "~",
                        "true",
                        "1",
                        "1e3",
                        "0x1f",
                        "0o7",
                        "1_000",
                        ".5",
                        "-1",
                        "1.0",
                        ".inf",
                        ".nan",
                        "2020-01-01",
                        "/users/{id}",
                        "*",
                        "/**",
                        "/api/*.json",
                        "a: b",
                        "a #b",
                        "#a",
                        "- a",
                        "-",
                        "a,b",
                        "[a]",
                        "&a",
                        "!a",
                        "@a",
                        "`a",
                        "%a",
                        "'a'",
                        "\"a\"",
                        " a",
                        "a ",
                        "a\\b",
                        "a\nb",
                        "a\tb",
                        "a\u0085b",
                        "a\u2028b",
                        "\uFEFFa",
                        "\uD83D\uDE00",
                        "Müller",
                        "?",
                        "? a",
                        "|",
                        ">",
                        "=",
                        "<<",
                        "a:",
                        "::1",
                        "2001:db8::/32",
                        "192.0.2.7",
                        "10.0.0.0/8",
                        "header:X-Api-Key",
                        "20/s burst 40",
                        "\u007f"),
                IntStream.range(0x20, 0x7f).mapToObj(c -> (char) c + "x" + (char) c));
    }

    @ParameterizedTest
    @MethodSource("texts")
    void everyTextStaysTheSameText(String text) throws Exception {
        ObjectNode fields = JsonNodeFactory.instance.objectNode();
        fields.put("name", text).putArray("list").add(text);
        fields.putObject("mapping").put(text, text);
        RuleTree rule = RuleTree.of(fields);
        assertThat(RuleTree.parse(rule.yaml()).json()).isEqualTo(fields);
        assertThat(RuleTree.parse(rule.flow()).json()).isEqualTo(fields);
    }

    @Test
    void whatOtherReadersTakeForSomethingElseStandsInQuotes() {
        for (String text : new String[] {"on", "1e3", "0x1f", "/users/{id}", "1_000", "2020-01-01", "yes"}) {
            assertThat(RuleTree.of(JsonNodeFactory.instance.objectNode().put("user", text))
                            .yaml())
                    .isEqualTo("user: \"" + text + "\"\n");
        }
        assertThat(RuleTree.of(JsonNodeFactory.instance.objectNode().put("user", 31))
                        .yaml())
                .isEqualTo("user: 31\n");
    }

    @Test
    void numbersMeanWhatTheyMeanToTheRules() throws Exception {
        ObjectNode rule = RuleTree.parse("""
                tokens: 0x1f
                burst: +40
                big: 123456789012345678901234567890
                attributes: { level: 0x1f, share: 1.50, big: 1e3, flag: True, plain: 7, yes: true, text: "7" }
                none: ~
                """).json();
        assertThat(rule.toString())
                .isEqualTo("{\"tokens\":31,\"burst\":40,\"big\":123456789012345678901234567890,\"attributes\":{"
                        + "\"level\":\"0x1f\",\"share\":\"1.50\",\"big\":\"1e3\",\"flag\":\"True\",\"plain\":7,"
                        + "\"yes\":true,\"text\":\"7\"},\"none\":null}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a: &a [1]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]\n"
                        + "d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]\ne: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d, *d]\n"
                        + "f: &f [*e, *e, *e, *e, *e, *e, *e, *e, *e, *e]",
                "a: 1\na: 2",
                "a: !!str 1",
                "a: 1\n---\nb: 1",
                "a: &a [*a]",
                "",
                "{",
                "a: \u0007"
            })
    void whatIsNoRuleIsRefused(String text) {
        assertThatExceptionOfType(RulesException.class).isThrownBy(() -> RuleTree.parse(text));
    }

    @Test
    @Timeout(5)
    void aDeepRuleIsRefusedAtOnce() {
        assertThatExceptionOfType(RulesException.class)
                .isThrownBy(() -> RuleTree.parse("[".repeat(4_000_000)))
                .withMessage("the rule:1:51: lists and mappings nest at most 50 deep");
    }
}
