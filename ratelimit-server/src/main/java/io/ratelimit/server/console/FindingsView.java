package io.ratelimit.server.console;

import io.ratelimit.server.document.Finding;
import io.ratelimit.server.document.Finding.Severity;
import io.ratelimit.server.document.RulesReview;
import java.util.List;

/**
 * What was found in a document: a part of the editor, loaded anew as somebody types.
 *
 * @param errors the first that must be mended
 * @param advice the first likely mistakes, and what is right only if it is meant
 * @param left how many of either are not shown
 * @param ruleCount how many rules there are; 0 where there are errors
 */
record FindingsView(List<Finding> errors, List<Finding> advice, int left, int ruleCount) implements Page {

    private static final int MOST = 100;

    static FindingsView of(RulesReview review) {
        List<Finding> errors = review.of(Severity.ERROR);
        List<Finding> advice = review.findings().stream()
                .filter(finding -> finding.severity() != Severity.ERROR)
                .toList();
        List<Finding> shownErrors = errors.subList(0, Math.min(errors.size(), MOST));
        List<Finding> shownAdvice = advice.subList(0, Math.min(advice.size(), MOST));
        return new FindingsView(
                shownErrors,
                shownAdvice,
                errors.size() + advice.size() - shownErrors.size() - shownAdvice.size(),
                review.rules().map(rules -> rules.rules().size()).orElse(0));
    }

    @Override
    public String template() {
        return "findings.jte";
    }
}
