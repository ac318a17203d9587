package io.ratelimit.core.match;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.RequestContext;
import io.ratelimit.core.client.ClientIdentifiers;
import io.ratelimit.core.explain.RuleExplanation;
import io.ratelimit.rules.Condition;
import io.ratelimit.rules.OperationCost;
import io.ratelimit.rules.PathPattern;
import io.ratelimit.rules.Rule;
import io.ratelimit.rules.RuleSet;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Explains what compiled rules make of one request: each rule, and not only those that apply. For one use. */
final class RulesExplainer {

    private static final PathSpecificity SPECIFICITY = new PathSpecificity();
    private static final PathPattern EVERYWHERE = PathPattern.parse("/**");

    private final RuleSet rules;
    private final ClientIdentifiers identifiers;
    private final CompiledCosts costs;
    private final MatchedRequest request;

    RulesExplainer(RuleSet rules, ClientIdentifiers identifiers, CompiledCosts costs, MatchedRequest request) {
        this.rules = rules;
        this.identifiers = identifiers;
        this.costs = costs;
        this.request = request;
    }

    ExplainedRequest explain(List<CompiledRule> compiled) {
        String exempt = exempt();
        long cost = costs.costOf(request);
        String costText = cost + " (" + costOrigin() + ")";
        List<ExplainedRule> explained = compiled.stream()
                .map(rule -> explain(rule, exempt != null, cost, costText))
                .toList();
        return new ExplainedRequest(exempt, explained);
    }

    private @Nullable String exempt() {
        for (int i = 0; i < rules.exempt().size(); i++) {
            ConditionReason reason = ConditionReason.of(rules.exempt().get(i), request);
            if (reason.holds()) {
                return "exempt[" + i + "] (" + reason.text() + ")";
            }
        }
        return null;
    }

    private ExplainedRule explain(CompiledRule compiled, boolean exempt, long cost, String costText) {
        Rule rule = compiled.rule();
        ConditionReason match = ConditionReason.of(rule.match(), request);
        if (!match.holds() || exempt) {
            return unmatched(rule, match.holds() ? "the request is exempt" : match.text());
        }
        List<String> overrides = new ArrayList<>();
        int chosen = choose(rule, overrides);
        LimitedRule limits = compiled.limitsAt(chosen);
        String key = new KeyReason(rules, identifiers, request).of(rule.key());
        if (limits == null) {
            String why =
                    match.text() + ", but " + (chosen < 0 ? "the rule" : "overrides[" + chosen + "]") + " is unlimited";
            return new ExplainedRule(
                    new RuleExplanation(rule.name(), false, false, why, overrides, key, null, List.of(), null), null);
        }
        ClientIdentifier client = clientOf(rule);
        if (client == null) {
            String why = match.text() + ", but its key cannot be built";
            return new ExplainedRule(
                    new RuleExplanation(rule.name(), false, true, why, overrides, key, null, List.of(), null), null);
        }
        return new ExplainedRule(
                new RuleExplanation(rule.name(), true, false, match.text(), overrides, key, costText, List.of(), null),
                limits.charge(client, cost));
    }

    private static ExplainedRule unmatched(Rule rule, String reason) {
        return new ExplainedRule(
                new RuleExplanation(rule.name(), false, false, reason, List.of(), null, null, List.of(), null), null);
    }

    /** The override that is chosen, or -1; says of each that was looked at why. */
    private int choose(Rule rule, List<String> said) {
        for (int i = 0; i < rule.overrides().size(); i++) {
            ConditionReason when = ConditionReason.of(rule.overrides().get(i).when(), request);
            said.add("overrides[" + i + "]: " + (when.holds() ? "chosen" : "not chosen") + " (" + when.text() + ")");
            if (when.holds()) {
                return i;
            }
        }
        return -1;
    }

    /** As in matching, but reported to nobody. */
    private @Nullable ClientIdentifier clientOf(Rule rule) {
        try {
            return identifiers.builder(rule.key()).build(request);
        } catch (Throwable e) {
            return null;
        }
    }

    private String costOrigin() {
        if (request.cost() != RequestContext.NO_COST) {
            return "the request's own";
        }
        String origin = "default";
        PathPattern best = null;
        for (int i = 0; i < rules.costs().size(); i++) {
            OperationCost entry = rules.costs().get(i);
            for (PathPattern path : holding(entry.match())) {
                if (best == null || SPECIFICITY.compare(path, best) > 0) {
                    best = path;
                    origin = "costs[" + i + "]" + (entry.resolver() == null ? "" : ", resolver " + entry.resolver());
                }
            }
        }
        return origin;
    }

    /** The paths by which a condition holds. */
    private List<PathPattern> holding(Condition match) {
        if (!ConditionReason.of(match, request).holds()) {
            return List.of();
        }
        if (match.paths().isEmpty()) {
            return List.of(EVERYWHERE);
        }
        List<PathPattern> found = new ArrayList<>();
        PathTrie.of(match.paths()).match(PathSegments.of(request.path()), found::add);
        return found;
    }
}
