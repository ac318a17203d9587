package io.ratelimit.server.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.ratelimit.rules.RuleProblem;
import io.ratelimit.server.document.Finding;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What is told of a finding.
 *
 * @param severity {@code error}, {@code warning} or {@code note}
 * @param line from 1; 0 where it is not in one place
 * @param column from 1; 0 where it is not in one place
 * @param rule the rule's name, or null
 * @param field the field's path, or null
 * @param message what is wrong and what would be right
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record FindingView(
        String severity,
        int line,
        int column,
        @Nullable String rule,
        @Nullable String field,
        String message) {

    static FindingView of(Finding finding) {
        return new FindingView(
                finding.severity().name().toLowerCase(Locale.ROOT),
                finding.line(),
                finding.column(),
                finding.rule(),
                finding.field(),
                finding.message());
    }

    static FindingView of(RuleProblem problem) {
        return new FindingView(
                "error", problem.line(), problem.column(), problem.rule(), problem.field(), problem.message());
    }
}
