package io.ratelimit.core.match;

import io.ratelimit.RequestContext;
import io.ratelimit.core.extension.Extensions;
import io.ratelimit.rules.OperationCost;
import io.ratelimit.rules.PathPattern;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What a request costs: by the application's own word, else by the most specific path, else one token. */
final class CompiledCosts {

    private static final long DEFAULT_COST = 1;
    private static final PathPattern EVERYWHERE = PathPattern.parse("/**");

    private final ConditionIndex<EntryCost> index;

    /** An entry under one of its paths. */
    private record PathCost(PathPattern path, OperationCost entry, EntryCost cost, String place) {}

    /** Of entries of one path the first stays first. */
    private static final Comparator<PathCost> MOST_SPECIFIC_FIRST =
            Comparator.comparing(PathCost::path, new PathSpecificity()).reversed();

    /**
     * Compiles the entries.
     *
     * @param unreadable hears of requests that an entry cannot be asked of
     * @param extensions the resolvers of costs among them
     */
    CompiledCosts(List<OperationCost> costs, UnreadableRequests unreadable, Extensions extensions) {
        List<PathCost> byPath = new ArrayList<>();
        for (int i = 0; i < costs.size(); i++) {
            OperationCost entry = costs.get(i);
            EntryCost cost = EntryCost.of(entry, extensions);
            String place = "costs[" + i + "]";
            List<PathPattern> paths = entry.match().paths().isEmpty()
                    ? List.of(EVERYWHERE)
                    : entry.match().paths();
            paths.forEach(path -> byPath.add(new PathCost(path, entry, cost, place)));
        }
        byPath.sort(MOST_SPECIFIC_FIRST);
        ConditionIndex.Builder<EntryCost> builder = new ConditionIndex.Builder<>(unreadable);
        byPath.forEach(one -> builder.add(one.entry.match().withPath(one.path), one.place, one.cost));
        this.index = builder.build();
    }

    long costOf(RequestContext request) {
        long stated = request.cost();
        if (stated != RequestContext.NO_COST) {
            return stated;
        }
        EntryCost cost = index.findFirst(request);
        return cost == null ? DEFAULT_COST : cost.of(request);
    }

    /** What a request costs where the rules leave that to the application. */
    long statedCostOf(RequestContext request) {
        long stated = request.cost();
        if (stated != RequestContext.NO_COST) {
            return stated;
        }
        EntryCost cost = index.findFirst(request);
        return cost == null || cost.resolver() == null ? RequestContext.NO_COST : cost.of(request);
    }
}
