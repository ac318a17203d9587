package io.ratelimit.core.explain;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why a request would pass or not, as things stand. Immutable; holds no secret of the request, and what it quotes of the
 * request is escaped and shortened.
 *
 * @param request the request's method and path
 * @param exempt which condition exempts the request and why; null where none does
 * @param rules what each rule makes of the request, in the order of the rules; those of the application's code behind
 *     those of the source
 * @param allowed whether the request would pass
 * @param outcome in one sentence what would become of the request
 */
public record Explanation(
        String request, @Nullable String exempt, List<RuleExplanation> rules, boolean allowed, String outcome) {

    /** Copies the rules. */
    public Explanation {
        rules = List.copyOf(rules);
    }

    /** The whole as text for an operator: the request, each rule in a few lines, the outcome. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(request).append('\n');
        if (exempt != null) {
            text.append("exempt: ").append(exempt).append('\n');
        }
        rules.forEach(rule -> text.append(rule).append('\n'));
        return text.append("outcome: ").append(outcome).toString();
    }
}
