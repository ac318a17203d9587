package io.ratelimit.core;

import io.ratelimit.RequestContext;
import io.ratelimit.core.match.CompiledRule;
import io.ratelimit.core.match.CompiledRules;
import io.ratelimit.core.match.DirectRule;
import io.ratelimit.core.match.RequestCharges;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request with the rules that apply to it. Used by one thread.
 *
 * @param rules all rules in force
 * @param request the request, prepared for these rules
 * @param applying the rules that apply
 */
record Matched(CompiledRules rules, RequestContext request, List<CompiledRule> applying) {

    static Matched of(CompiledRules rules, RequestContext context) {
        RequestContext request = rules.prepare(context);
        return new Matched(rules, request, rules.matching(request));
    }

    /** The only rule that applies, if its buckets can be asked directly. */
    @Nullable
    DirectRule direct() {
        return applying.size() == 1 ? applying.get(0).directFor(request) : null;
    }

    long cost() {
        return rules.costOf(request);
    }

    RequestCharges charges() {
        return rules.chargesFor(applying, request);
    }
}
