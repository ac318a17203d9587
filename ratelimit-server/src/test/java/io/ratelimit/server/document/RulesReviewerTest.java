package io.ratelimit.server.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.Growth;
import io.ratelimit.server.document.Finding.Severity;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RulesReviewerTest {

    private final RulesReviewer reviewer = new RulesReviewer();

    @Test
    void rulesWithoutMistakesHaveNoFindings() {
        RulesReview review =
                reviewer.review("the rules", "service: orders\nrules: [{ name: a, limits: 1/s }]", "orders");
        assertThat(review.findings()).isEmpty();
        assertThat(review.rules().orElseThrow().rules()).hasSize(1);
    }

    @Test
    void allProblemsAreErrorsInTheirPlaces() {
        RulesReview review = reviewer.review(
                "orders.yaml", "service: orders\nrules:\n  - name: a\n    limit: 1/s\n    key: x\n", null);
        assertThat(review.rules()).isEmpty();
        assertThat(review.of(Severity.ERROR)).hasSameSizeAs(review.findings()).hasSize(3);
        assertThat(review.findings().get(0)).satisfies(finding -> {
            assertThat(finding.line()).isEqualTo(4);
            assertThat(finding.column()).isEqualTo(5);
            assertThat(finding.rule()).isEqualTo("a");
            assertThat(finding.field()).isEqualTo("rules[0].limit");
            assertThat(finding.toString())
                    .startsWith("orders.yaml:4:5: error: rule 'a', field rules[0].limit: unknown field 'limit'");
        });
    }

    @Test
    void likelyMistakesStandWhereTheirRuleBegins() {
        RulesReview review = reviewer.review("the rules", """
                service: orders
                costs:
                  - { path: /a, cost: 2 }
                  - { path: /a, cost: 3 }
                rules:
                  - name: b
                    match: { path: /b }
                    limits: 1/s
                  # Never.
                  - name: a
                    match: { path: /c }
                    limits: 0
                """, "orders");
        assertThat(review.rules()).isPresent();
        assertThat(review.findings())
                .extracting(Finding::toString)
                .satisfiesExactlyInAnyOrder(
                        costs -> assertThat(costs)
                                .startsWith(
                                        "the rules:4:5: warning: field costs[1]: never counts: costs[0] stands before"),
                        rule -> assertThat(rule)
                                .startsWith("the rules:10:5: note: rule 'a': refuses every request that it matches"));
    }

    @Test
    void rulesOfAnotherServiceAreAnError() {
        RulesReview review = reviewer.review("the rules", "# ours\nservice: order\nrules: []\n", "orders");
        assertThat(review.rules()).isEmpty();
        assertThat(review.findings())
                .extracting(Finding::toString)
                .containsExactly(
                        "the rules:2:10: error: field service: these are rules of service 'order' where those of"
                                + " 'orders' are due; write service: orders");
    }

    @Test
    void jsonThatYamlCannotReadIsReviewedAsWell() {
        String json = "{\"service\":\"orders\",\"rules\":[{\"name\"\n:\"a\",\"limits\":\"0\"}]}";
        RulesReview review = reviewer.review("the rules", json, "orders");
        assertThat(review.rules()).isPresent();
        assertThat(review.findings())
                .extracting(Finding::toString)
                .satisfiesExactly(
                        rule -> assertThat(rule).startsWith("the rules: note: rule 'a': refuses every request"));
        assertThat(reviewer.review("the rules", json, "other").findings().get(0).toString())
                .startsWith("the rules: error: field service: ");
    }

    @Test
    void whatIsNoTextIsAnError() {
        RulesReview review = reviewer.review("a.yaml", "service: café".getBytes(StandardCharsets.ISO_8859_1), null);
        assertThat(review.findings())
                .extracting(Finding::toString)
                .satisfiesExactly(
                        wrong -> assertThat(wrong).startsWith("a.yaml:1:13: error: the document is not in UTF-8"));
    }

    @Test
    void tenThousandRulesAreReviewedInTimeThatGrowsWithTheirNumber() {
        RulesReview review = reviewer.review("the rules", rules(10_000), "orders");
        assertThat(review.findings()).hasSize(1_000);
        assertThat(review.findings().get(999).line()).isEqualTo(3 + 3 * 999);
        assertThat(Growth.upTo(10_000, size -> {
                    String many = rules(size);
                    return () -> reviewer.review("the rules", many, "orders");
                }))
                .isLessThan(Growth.NEARLY_LINEAR);
    }

    private static String rules(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "  - name: rule-" + i + "\n    match: { path: /api/" + i + "/** }\n    limits: 0\n")
                .collect(Collectors.joining("", "service: orders\nrules:\n", ""));
    }
}
