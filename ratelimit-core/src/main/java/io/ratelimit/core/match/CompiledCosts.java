package io.ratelimit.core.match;

import io.ratelimit.RequestContext;
import io.ratelimit.core.extension.Extensions;
import io.ratelimit.rules.OperationCost;
import io.ratelimit.rules.PathPattern;
import java.util.Comparator;
import java.util.List;

/** What a request costs: by the application's own word, else by the most specific path, else one token. */
final class CompiledCosts {

    private static final long DEFAULT_COST = 1;
    private static final PathPattern EVERYWHERE = PathPattern.parse("/**");

    private record PathCost(PathPattern path, EntryCost cost) {}

    private static final Comparator<PathCost> BY_PATH = Comparator.comparing(PathCost::path, new PathSpecificity());

    private final ConditionIndex<PathCost> index;

    /**
     * Compiles the entries.
     *
     * @param unreadable hears of requests that an entry cannot be asked of
     * @param extensions the resolvers of costs among them
     */
    CompiledCosts(List<OperationCost> costs, UnreadableRequests unreadable, Extensions extensions) {
        this.index = new ConditionIndex<>(unreadable);
        for (int i = 0; i < costs.size(); i++) {
            OperationCost cost = costs.get(i);
            EntryCost entry = EntryCost.of(cost, extensions);
            String place = "costs[" + i + "]";
            List<PathPattern> paths = cost.match().paths().isEmpty()
                    ? List.of(EVERYWHERE)
                    : cost.match().paths();
            for (PathPattern path : paths) {
                index.add(cost.match().withPath(path), place, new PathCost(path, entry));
            }
        }
    }

    long costOf(MatchedRequest request) {
        long stated = request.context().cost();
        if (stated != RequestContext.NO_COST) {
            return stated;
        }
        PathCost best = null;
        for (PathCost candidate : index.find(request)) {
            if (best == null || BY_PATH.compare(candidate, best) > 0) {
                best = candidate;
            }
        }
        return best == null ? DEFAULT_COST : best.cost.of(request.context());
    }
}
