package io.ratelimit.server.document;

import io.ratelimit.rules.RuleSet;
import java.util.List;
import java.util.Optional;

/**
 * What a review of a rules document has found. Immutable and thread-safe.
 *
 * @param rules the rules; empty where there are errors
 * @param findings what is wrong, in the document's order; or, of a document without errors, what is likely a mistake
 */
public record RulesReview(Optional<RuleSet> rules, List<Finding> findings) {

    /** Copies the findings. */
    public RulesReview {
        findings = List.copyOf(findings);
    }

    /**
     * The findings of one severity.
     *
     * @param severity how bad
     * @return the findings; empty where there are none
     */
    public List<Finding> of(Finding.Severity severity) {
        return findings.stream()
                .filter(finding -> finding.severity() == severity)
                .toList();
    }
}
