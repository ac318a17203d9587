package io.ratelimit.server.envoy.descriptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ratelimit.rules.Limit;
import io.ratelimit.rules.RulesException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DescriptorTreeTest {

    /** The structure of the reference's example. */
    private static final String EXAMPLE = """
            ---
            domain: rl
            descriptors:
              - key: source_cluster
                value: proxy
                descriptors:
                  - key: destination_cluster
                    value: mock
                    rate_limit: { unit: minute, requests_per_unit: 1 }
              - key: foo
                rate_limit: { unit: minute, requests_per_unit: 2 }
                descriptors:
                  - key: bar
                    rate_limit: { unit: minute, requests_per_unit: 3 }
                  - key: bar
                    value: banned
                    rate_limit: { unit: minute, requests_per_unit: 0 }
                  - key: baz
                    rate_limit: { unit: second, requests_per_unit: 1 }
                  - key: baz
                    value: shady
                    rate_limit: { unit: minute, requests_per_unit: 1 }
                    shadow_mode: true
                  - key: bay
                    rate_limit: { unlimited: true }
              - key: qux
                rate_limit: { unlimited: true }
            """;

    private final LimitedByDescriptors example = LimitedByDescriptors.of(EXAMPLE);

    @Test
    void aKeyAloneLimitsEachValueByItself() {
        assertThat(example.ask(3, "rl", "foo=a")).containsExactly("OK", "OK", "OVER");
        assertThat(example.ask("rl", "foo=b")).isEqualTo("OK");
    }

    @Test
    void theLastEntryOfAPathIsLimitedForEachValueOfAllEntries() {
        assertThat(example.ask(4, "rl", "foo=a", "bar=x")).containsExactly("OK", "OK", "OK", "OVER");
        assertThat(example.ask("rl", "foo=b", "bar=x")).isEqualTo("OK");
    }

    @Test
    void aValueComesBeforeItsKeyAlone() {
        assertThat(example.ask("rl", "foo=a", "bar=banned")).isEqualTo("OVER");
    }

    @Test
    void aBannedValueIsOverForEver() {
        example.pass(Duration.ofDays(400));

        assertThat(example.ask("rl", "foo=a", "bar=banned")).isEqualTo("OVER");
    }

    @Test
    void shadowModeAlwaysPassesAndCounts() {
        assertThat(example.ask(5, "rl", "foo=a", "baz=shady")).containsOnly("OK");
        assertThat(example.shadowed()).isEqualTo(4);
    }

    @Test
    void unlimitedAlwaysPasses() {
        assertThat(example.ask(100, "rl", "foo=a", "bay=z")).containsOnly("OK");
        assertThat(example.ask("rl", "qux=z")).isEqualTo("OK");
        assertThat(example.find("rl", "qux=z").orElseThrow().limit().quota()).isNull();
    }

    @Test
    void numberAndOrderOfEntriesMustBeThoseOfTheFile() {
        assertThat(example.find("rl", "bar=banned")).isEmpty();
        assertThat(example.find("rl", "qux=z", "foo=a")).isEmpty();
        assertThat(example.find("rl", "foo=a", "nope=1")).isEmpty();
        assertThat(example.find("rl", "foo=a", "bar=x", "bar=x")).isEmpty();
        assertThat(example.find("rl")).isEmpty();
        assertThat(example.find("other", "foo=a")).isEmpty();
    }

    @Test
    void anEntryWithoutALimitIsOnlyPassedThrough() {
        assertThat(example.find("rl", "source_cluster=proxy")).isEmpty();
        assertThat(example.ask(2, "rl", "source_cluster=proxy", "destination_cluster=mock"))
                .containsExactly("OK", "OVER");
        assertThat(example.ask("rl", "destination_cluster=mock", "source_cluster=proxy"))
                .isEqualTo("OK");
    }

    @Test
    void entriesOfSeparateDescriptorsAreNeverPutTogether() {
        LimitedByDescriptors joint = LimitedByDescriptors.of("""
                domain: joint
                descriptors:
                  - key: A
                    descriptors:
                      - key: B
                        descriptors:
                          - key: C
                            rate_limit: { unit: minute, requests_per_unit: 1 }
                """);

        assertThat(joint.find("joint", "C=1")).isEmpty();
        assertThat(joint.find("joint", "A=1", "B=1")).isEmpty();
        assertThat(joint.find("joint", "A=1", "B=1", "C=1")).isPresent();
    }

    @Test
    void aWildcardLimitsEachValueByItself() {
        LimitedByDescriptors wild = LimitedByDescriptors.of(wildcard("share_threshold: false"));

        assertThat(wild.ask(3, "wild", "path=/files/a")).containsExactly("OK", "OK", "OVER");
        assertThat(wild.ask("wild", "path=/files/b")).isEqualTo("OK");
        assertThat(wild.find("wild", "path=/filesx")).isEmpty();
    }

    @Test
    void aWildcardThatSharesItsThresholdHasOneBucket() {
        LimitedByDescriptors wild = LimitedByDescriptors.of(wildcard("share_threshold: true"));

        assertThat(wild.ask("wild", "path=/files/a")).isEqualTo("OK");
        assertThat(wild.ask("wild", "path=/files/b")).isEqualTo("OK");
        assertThat(wild.ask("wild", "path=/files/c")).isEqualTo("OVER");
    }

    private static String wildcard(String share) {
        return """
                domain: wild
                descriptors:
                  - key: path
                    value: /files/*
                    %s
                    rate_limit: { unit: minute, requests_per_unit: 2 }
                """.formatted(share);
    }

    @ParameterizedTest
    @CsvSource({
        "/api/*/action, /api/1/action, true",
        "/api/*/action, /api//action, true",
        "/api/*/action, /api/action, false",
        "/api/*/action, /api/1/other, false",
        "a*b*c, abc, true",
        "a*b*c, axbybzc, true",
        "a*b*c, acb, false",
        "a*a, a, false",
        "a*a, aa, true",
        "a*bb*b, abb, false",
        "*, anything, true",
        "*, '', true",
        "*x, ax, true",
        "**, a, true",
    })
    void eachStarStandsForAnyNumberOfCharacters(String pattern, String value, boolean matches) {
        assertThat(new Wildcard(pattern).matches(value)).isEqualTo(matches);
    }

    @Test
    void aValueComesBeforeAWildcardBeforeTheKeyAloneAndTheFirstWildcardFirst() {
        LimitedByDescriptors order = LimitedByDescriptors.of("""
                domain: order
                descriptors:
                  - { key: k, rate_limit: { unit: day, requests_per_unit: 1 } }
                  - { key: k, value: ab*, rate_limit: { unit: day, requests_per_unit: 2 } }
                  - { key: k, value: a*, rate_limit: { unit: day, requests_per_unit: 3 } }
                  - { key: k, value: abc, rate_limit: { unit: day, requests_per_unit: 4 } }
                """);

        assertThat(requests(order, "k=abc")).isEqualTo(4);
        assertThat(requests(order, "k=abd")).isEqualTo(2);
        assertThat(requests(order, "k=ax")).isEqualTo(3);
        assertThat(requests(order, "k=x")).isEqualTo(1);
        assertThat(requests(order, "k=")).isEqualTo(1);
    }

    private static long requests(LimitedByDescriptors descriptors, String entry) {
        return descriptors.find("order", entry).orElseThrow().limit().quota().requestsPerUnit();
    }

    /** What matches first is kept to, as in the reference: its level is not left again. */
    @Test
    void aDeadEndIsNotLeftForALessSpecificWay() {
        LimitedByDescriptors ways = LimitedByDescriptors.of("""
                domain: ways
                descriptors:
                  - { key: a, value: "1", descriptors: [{ key: b, value: x, rate_limit: { unit: day, requests_per_unit: 1 } }] }
                  - { key: a, descriptors: [{ key: b, rate_limit: { unit: day, requests_per_unit: 1 } }] }
                """);

        assertThat(ways.find("ways", "a=1", "b=y")).isEmpty();
        assertThat(ways.find("ways", "a=2", "b=y")).isPresent();
    }

    @Test
    void anEmptyValueIsAValueOfItsOwn() {
        assertThat(example.ask(3, "rl", "foo=")).containsExactly("OK", "OK", "OVER");
        assertThat(example.ask("rl", "foo=-")).isEqualTo("OK");
    }

    @Test
    void valuesAreToldApartHoweverTheyAreCut() {
        assertThat(example.ask(3, "rl", "foo=a", "bar=bc")).containsOnly("OK");
        assertThat(example.ask("rl", "foo=ab", "bar=c")).isEqualTo("OK");
    }

    @ParameterizedTest
    @CsvSource({
        "second, PT1S",
        "MINUTE, PT1M",
        "Hour, PT1H",
        "day, PT24H",
        "week, PT168H",
        "month, PT720H",
        "year, PT8760H",
    })
    void aLimitIsATokenBucketOfOneUnit(String unit, Duration period) {
        LimitedByDescriptors units = LimitedByDescriptors.of(
                "domain: units\ndescriptors: [{ key: k, rate_limit: { unit: " + unit + ", requests_per_unit: 7 } }]");

        assertThat(units.find("units", "k=v")
                        .orElseThrow()
                        .limit()
                        .quota()
                        .rule()
                        .rule()
                        .limits())
                .containsExactly(Limit.of(7, period));
    }

    @Test
    void theLargestNumberOfEachUnitCanBeCounted() {
        for (LimitUnit unit : LimitUnit.values()) {
            LimitedByDescriptors large =
                    LimitedByDescriptors.of("domain: large\ndescriptors: [{ key: k, rate_limit: { unit: " + unit
                            + ", requests_per_unit: 4294967295 } }]");

            assertThat(large.ask("large", "k=v")).isEqualTo("OK");
        }
    }

    @Test
    void rulesAreNamedByTheirPath() {
        assertThat(example.ruleOf("rl", "foo=a")).isEqualTo("rl.foo");
        assertThat(example.ruleOf("rl", "foo=a", "bar=banned")).isEqualTo("rl.foo.bar_banned");
        assertThat(example.ruleOf("rl", "source_cluster=proxy", "destination_cluster=mock"))
                .isEqualTo("rl.source_cluster_proxy.destination_cluster_mock");
    }

    @Test
    void namesThatDoNotSpellThePathInFullEndInItsHash() {
        LimitedByDescriptors names = LimitedByDescriptors.of("""
                domain: a.b
                descriptors:
                  - { key: k, value: x/y, rate_limit: { unit: day, requests_per_unit: 1 } }
                  - { key: k, value: x?y, rate_limit: { unit: day, requests_per_unit: 1 } }
                  - { key: k, value: "%s", rate_limit: { unit: day, requests_per_unit: 1 } }
                """.formatted("v".repeat(4_000)));

        assertThat(names.ruleOf("a.b", "k=x/y")).isEqualTo("a.b.k_x_y-e9ebab555b573911");
        assertThat(names.ruleOf("a.b", "k=x?y")).startsWith("a.b.k_x_y-").isNotEqualTo(names.ruleOf("a.b", "k=x/y"));
        assertThat(names.ruleOf("a.b", "k=" + "v".repeat(4_000))).hasSizeLessThan(130);
    }

    @Test
    void theKeyOfARuleNamesTheEntries() {
        assertThat(example.find("rl", "foo=a", "bar=x")
                        .orElseThrow()
                        .limit()
                        .quota()
                        .rule()
                        .rule()
                        .key())
                .hasToString("[attribute:foo, attribute:bar]");
    }

    @Test
    void namesAndReplacementsAreKept() {
        LimitedByDescriptors named = LimitedByDescriptors.of("""
                domain: named
                descriptors:
                  - key: one
                    rate_limit: { name: first, unit: second, requests_per_unit: 5 }
                  - key: two
                    rate_limit: { unlimited: true, replaces: [{ name: first }, { name: third }] }
                """);

        DescriptorLimit one = named.find("named", "one=1").orElseThrow().limit();
        DescriptorLimit two = named.find("named", "two=1").orElseThrow().limit();
        assertThat(one.name()).isEqualTo("first");
        assertThat(two.replaces()).containsExactlyInAnyOrder("first", "third");
    }

    @Test
    void whatTheReferenceReadsLenientlyIsReadSo() {
        LimitedByDescriptors lenient = LimitedByDescriptors.of("""
                domain: 42
                descriptors:
                  - key: port
                    value: 8080
                    shadow_mode: yes
                    detailed_metric: true
                    value_to_metric: false
                    quota_mode: false
                    metadata: { anything: { at: all } }
                    rate_limit: { unit: day, requests_per_unit: 1, unlimited: false, name: "", replaces: [] }
                  - key: flag
                    value: true
                    rate_limit:
                    descriptors:
                  - key: empty
                    value: ""
                    rate_limit: { unit: day, requests_per_unit: 1 }
                """);

        assertThat(lenient.ask(2, "42", "port=8080")).containsOnly("OK");
        assertThat(lenient.shadowed()).isEqualTo(1);
        assertThat(lenient.find("42", "flag=true")).isEmpty();
        assertThat(lenient.find("42", "empty=anything")).isPresent();
    }

    @Test
    void aDomainWithoutDescriptorsLimitsNothing() throws Exception {
        assertThat(LimitedByDescriptors.read("domain: bare").domain("bare")).isPresent();
    }

    @Test
    void anAliasStandsForWhatItNames() {
        LimitedByDescriptors aliased = LimitedByDescriptors.of("""
                domain: aliased
                descriptors:
                  - { key: a, rate_limit: &daily { unit: day, requests_per_unit: 1 } }
                  - { key: b, rate_limit: *daily }
                """);

        assertThat(aliased.ruleOf("aliased", "b=1")).isEqualTo("aliased.b");
    }

    @Test
    void oneDomainIsInOneFile() {
        assertThatThrownBy(() -> LimitedByDescriptors.read("domain: shop", "domain: shop"))
                .isInstanceOf(RulesException.class)
                .hasMessage("file2.yaml:1:9: field domain: the domain 'shop' stands in file1.yaml already; put the"
                        + " descriptors of a domain in one file");
    }

    @Test
    void filesOfDifferentDomainsStandSideBySide() throws Exception {
        DescriptorSet set = LimitedByDescriptors.read("domain: shop", "domain: bank");

        assertThat(Map.of(
                        "shop",
                        set.domain("shop").isPresent(),
                        "bank",
                        set.domain("bank").isPresent()))
                .doesNotContainValue(false);
        assertThat(set.size()).isEqualTo(2);
    }
}
