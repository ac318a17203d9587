package io.ratelimit.server.envoy.descriptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.ratelimit.rules.RuleProblem;
import io.ratelimit.rules.RulesException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is wrong in descriptor files: the place, the field and the advice. */
class BadDescriptorsTest {

    /** A descriptor beneath another one, in line 5. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{ key: k, valeu: v }|.valeu|unknown field 'valeu'; did you mean 'value'?; valid fields are key, value, rate_limit",
                "{ value: v }|.key|the field 'key' is missing; give the key of the entries that it is for",
                "{ key: '' }|.key|'key' is empty",
                "{ key: ' ' }|.key|'key' is empty",
                "{ key: }|.key|no value stands where a single value is due",
                "{ key: [k] }|.key|a list stands where a single value is due",
                "{ key: k, value: {} }|.value|a mapping stands where a single value is due",
                "{ key: k, key: l }|.key|the field 'key' stands twice in one mapping",
                "text||'text' stands where a mapping is due; its fields are key, value",
                "{ key: k, shadow_mode: 1 }|.shadow_mode|'1' stands where true or false is due",
                "{ key: k, detailed_metric: maybe }|.detailed_metric|'maybe' stands where true or false is due",
                "{ key: k, descriptors: {} }|.descriptors|a mapping stands where a list is due",
                "{ key: k, share_threshold: true }|.share_threshold|only a value with '*' has others to share with, and there is none",
                "{ key: k, value: v, share_threshold: true }|.share_threshold|and 'v' is no such value; give a value such as files/*",
                "{ key: k, rate_limit: 5 }|.rate_limit|'5' stands where a mapping is due; its fields are unit, requests_per_unit",
                "{ key: k, rate_limit: {} }|.rate_limit.unit|the field 'unit' is missing; give one of second, minute, hour, day, week, month, year",
                "{ key: k, rate_limit: { unit: day } }|.rate_limit.requests_per_unit|the field 'requests_per_unit' is missing; give a whole number; 0 refuses every request",
                "{ key: k, rate_limit: { unit: day, requests_per_uint: 5 } }|.rate_limit.requests_per_uint|unknown field 'requests_per_uint'; did you mean 'requests_per_unit'?",
                "{ key: k, rate_limit: { unit: minuet, requests_per_unit: 5 } }|.rate_limit.unit|'minuet' is no unit; did you mean 'minute'?; give one of second, minute",
                "{ key: k, rate_limit: { unit: 5, requests_per_unit: 5 } }|.rate_limit.unit|'5' is no unit; give one of",
                "{ key: k, rate_limit: { unit: day, requests_per_unit: -1 } }|.rate_limit.requests_per_unit|'-1' is out of range; give a whole number between 0 and 4294967295",
                "{ key: k, rate_limit: { unit: day, requests_per_unit: 4294967296 } }|.rate_limit.requests_per_unit|is out of range",
                "{ key: k, rate_limit: { unit: day, requests_per_unit: 1.5 } }|.rate_limit.requests_per_unit|'1.5' stands where a number is due",
                "{ key: k, rate_limit: { unit: day, requests_per_unit: many } }|.rate_limit.requests_per_unit|'many' stands where a number is due",
                "{ key: k, rate_limit: { unit: day, unlimited: true } }|.rate_limit.unit|'day' stands beside 'unlimited: true'; leave one of the two out",
                "{ key: k, rate_limit: { requests_per_unit: 5, unlimited: true } }|.rate_limit.requests_per_unit|'5' stands beside 'unlimited: true'",
                "{ key: k, rate_limit: { unlimited: 7, unit: day, requests_per_unit: 5 } }|.rate_limit.unlimited|'7' stands where true or false is due",
                "{ key: k, rate_limit: { unlimited: true, name: n, replaces: [{ name: n }] } }|.rate_limit.replaces[0]|the limit 'n' replaces itself",
                "{ key: k, rate_limit: { unlimited: true, replaces: [{ name: '' }] } }|.rate_limit.replaces[0].name|'name' is empty; give the name of another rate_limit",
                "{ key: k, rate_limit: { unlimited: true, replaces: [{}] } }|.rate_limit.replaces[0].name|the field 'name' is missing",
                "{ key: k, rate_limit: { unlimited: true, replaces: n } }|.rate_limit.replaces|'n' stands where a list is due: names of limits",
            })
    void eachMistakeIsNamedWithItsPlace(String descriptor, String field, String message) {
        RuleProblem problem = problems(
                        "domain: shop\ndescriptors:\n  - key: above\n    descriptors:\n      - " + descriptor)
                .get(0);

        assertThat(problem.location()).isEqualTo("file1.yaml");
        assertThat(problem.line()).isEqualTo(5);
        assertThat(problem.field()).isEqualTo("descriptors[0].descriptors[0]" + (field == null ? "" : field));
        assertThat(problem.message()).contains(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "unlimted: true|unknown field 'unlimted'; did you mean 'unlimited'?",
                "unlimited_: true, name: n|unknown field 'unlimited_'; did you mean 'unlimited'?",
                "unlimited: ture|'ture' stands where true or false is due; did you mean 'true'?",
                "unlimited: [true]|a list stands where true or false is due",
            })
    void nobodyMissesANumberWhereUnlimitedIsMisspelt(String rate, String message) {
        assertThat(problems("domain: shop\ndescriptors: [{ key: k, rate_limit: { " + rate + " } }]"))
                .singleElement()
                .satisfies(problem -> assertThat(problem.message()).startsWith(message));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"unit: day, unlimted: true", "unitt: day", "unlimited: false", "name: unlimited"})
    void aNumberIsMissedWhereSomethingElseIsMeant(String rate) {
        assertThat(problems("domain: shop\ndescriptors: [{ key: k, rate_limit: { " + rate + " } }]"))
                .extracting(RuleProblem::message)
                .anySatisfy(message -> assertThat(message).startsWith("the field 'requests_per_unit' is missing"));
    }

    @Test
    void rulesAreTakenForWhatTheyAreAndNamedOnce() {
        assertThat(problems("service: shop\nrules:\n  - { name: a, limits: 5/m }"))
                .extracting(RuleProblem::toString)
                .containsExactly(
                        "file1.yaml: these are rules, and no descriptors of Envoy's rate limit service; a daemon"
                                + " takes them by --rules, and check without --descriptors");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "descriptors: []|the field 'domain' is missing; give the domain that Envoy's requests name",
                "domain: ''|'domain' is empty",
                "domain: [a]|a list stands where a single value is due",
                "domain: shop\\ndescriptor: []|unknown field 'descriptor'; did you mean 'descriptors'?",
                "domain: shop\\ndescriptors: 5|'5' stands where a list is due: descriptors, such as - key: remote_address",
                "just text|the document is no mapping; it begins with fields such as 'domain: shop' and 'descriptors:'",
                "domain: shop\\n---\\ndomain: bank|a second YAML document begins here; a descriptor file is a single one",
                "domain: !!str shop|the tag",
                "domain: shop: bank|the document is not YAML",
                "a: &a [*a]|the alias '*a' stands for nothing",
            })
    void aFileIsReadStrictly(String yaml, String message) {
        assertThat(problems(yaml.replace("\\n", "\n")).get(0).message()).contains(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " \n", "# nothing\n", "---\n"})
    void anEmptyFileIsRefused(String yaml) {
        assertThat(problems(yaml).get(0).message())
                .isEqualTo("the document is empty; a descriptor file has at least 'domain' and 'descriptors'");
    }

    @Test
    void theSameKeyAndValueStandOnceAtALevel() {
        List<RuleProblem> problems = problems("""
                domain: shop
                descriptors:
                  - { key: a, value: b }
                  - { key: a }
                  - { key: a_b }
                  - { key: a, descriptors: [{ key: a }, { key: a, value: b }] }
                """);

        assertThat(problems)
                .extracting(RuleProblem::toString)
                .containsExactly(
                        "file1.yaml:5:5: field descriptors[2]: the descriptor 'a_b', its key and value joined by '_', stands"
                                + " twice at one level, first in line 3; keep one",
                        "file1.yaml:6:5: field descriptors[3]: the descriptor 'a', its key and value joined by '_', stands"
                                + " twice at one level, first in line 4; keep one");
    }

    @Test
    void allMistakesOfAllFilesAreNamedTogether() {
        RulesException refused = catchThrowableOfType(
                RulesException.class,
                () -> LimitedByDescriptors.read(
                        "domain: shop\ndescriptors: [{ kye: a }, { key: b, rate_limit: { unit: d, requests_per_unit: -1 } }]",
                        "domain: good",
                        "domian: bank"));

        assertThat(refused.problems())
                .extracting(problem -> problem.location() + " " + problem.field())
                .containsExactly(
                        "file1.yaml descriptors[0].kye",
                        "file1.yaml descriptors[0].key",
                        "file1.yaml descriptors[1].rate_limit.unit",
                        "file1.yaml descriptors[1].rate_limit.requests_per_unit",
                        "file3.yaml domian",
                        "file3.yaml domain");
    }

    @Test
    void anAliasBombIsRefused() {
        StringBuilder bomb = new StringBuilder("domain: shop\ndescriptors:\n  - &a0 { key: k }\n");
        for (int i = 1; i < 20; i++) {
            bomb.append("  - &a").append(i).append(" { key: k").append(i).append(", descriptors: [");
            bomb.append(("*a" + (i - 1) + ", ").repeat(9))
                    .append("*a")
                    .append(i - 1)
                    .append("] }\n");
        }

        assertThat(problems(bomb.toString()).get(0).message()).startsWith("the document is too large");
    }

    @Test
    void whatIsNestedTooDeepIsRefused() {
        String deep =
                "domain: shop\ndescriptors: " + "[{ key: k, descriptors: ".repeat(1_000) + "[]" + "}]".repeat(1_000);

        assertThat(problems(deep).get(0).message()).startsWith("the document is nested too deeply");
    }

    @Test
    void whatIsTooLongOrTooLargeIsRefused() {
        assertThat(problems("domain: " + "x".repeat(5_000)).get(0).message()).contains("a value has at most 4096");
        assertThat(problems("domain: shop\n#" + "x".repeat(5 << 20)).get(0).message())
                .contains("a descriptor file has at most 4194304");
    }

    @Test
    void complaintsEndSomewhere() {
        assertThat(problems("domain: shop\ndescriptors: [" + "{}, ".repeat(20_000) + "{}]"))
                .hasSize(1_000);
    }

    @Test
    void controlCharactersNeverReachAMessage() {
        assertThat(problems("domain: shop\ndescriptors: [{ \"k\\ney\": 1 }]")
                        .get(0)
                        .toString())
                .contains("k\\u000aey")
                .doesNotContain("\n");
    }

    private static List<RuleProblem> problems(String... files) {
        return catchThrowableOfType(RulesException.class, () -> LimitedByDescriptors.read(files))
                .problems();
    }
}
