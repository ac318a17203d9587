package io.ratelimit.core.match;

import io.ratelimit.core.extension.Extensions;
import io.ratelimit.rules.OperationCost;
import io.ratelimit.rules.RuleSet;
import java.util.ArrayList;
import java.util.List;

/** Finds resolvers that rules name and this host does not have. */
final class ResolverCheck {

    private final RuleSet rules;
    private final Extensions extensions;

    ResolverCheck(RuleSet rules, Extensions extensions) {
        this.rules = rules;
        this.extensions = extensions;
    }

    /** One sentence for each entry that names one. */
    List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        for (int i = 0; i < rules.costs().size(); i++) {
            OperationCost cost = rules.costs().get(i);
            String name = cost.resolver();
            if (name != null && extensions.costResolver(name) == null) {
                warnings.add("costs[" + i + "]: there is no cost resolver '" + name + "' here (there are: "
                        + extensions.costResolverNames() + "), so its cost of " + cost.cost()
                        + " stands in; register the resolver, or correct the name");
            }
        }
        return warnings;
    }
}
