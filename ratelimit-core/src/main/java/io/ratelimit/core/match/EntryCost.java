package io.ratelimit.core.match;

import io.ratelimit.CostResolver;
import io.ratelimit.RequestContext;
import io.ratelimit.core.extension.ExtensionFaults;
import io.ratelimit.core.extension.Extensions;
import io.ratelimit.rules.OperationCost;
import org.jspecify.annotations.Nullable;

/**
 * What requests cost by one entry of the rules. A resolver that fails fails no request.
 *
 * @param cost what the entry says; what stands in where it names a resolver that has no answer
 * @param resolver works the cost out, or null where it is fixed or this host has no such resolver
 * @param faults hears of a resolver that has no answer
 */
record EntryCost(OperationCost cost, @Nullable CostResolver resolver, ExtensionFaults faults) {

    static EntryCost of(OperationCost cost, Extensions extensions) {
        String name = cost.resolver();
        return new EntryCost(cost, name == null ? null : extensions.costResolver(name), extensions.faults());
    }

    long of(RequestContext request) {
        if (resolver == null) {
            return cost.cost();
        }
        try {
            long resolved = resolver.cost(request);
            if (resolved >= 0) {
                return resolved;
            }
            faults.wrong(described(), "answers a negative cost", consequence());
        } catch (Throwable e) {
            faults.thrown(described(), consequence(), e);
        }
        return cost.cost();
    }

    private String described() {
        return "The resolver of costs '" + cost.resolver() + "'";
    }

    private String consequence() {
        return "the request costs " + cost.cost() + ", as the rules say";
    }
}
