package io.ratelimit.core.match;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the rules make of a request, before any bucket was asked.
 *
 * @param exempt which condition exempts the request and why; null where none does
 * @param rules each rule, in the order of the rules
 */
public record ExplainedRequest(@Nullable String exempt, List<ExplainedRule> rules) {

    /** Copies the rules. */
    public ExplainedRequest {
        rules = List.copyOf(rules);
    }
}
