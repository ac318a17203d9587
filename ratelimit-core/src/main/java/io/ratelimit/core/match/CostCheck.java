package io.ratelimit.core.match;

import io.ratelimit.rules.Condition;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.LimitOverride;
import io.ratelimit.rules.OperationCost;
import io.ratelimit.rules.PathPattern;
import io.ratelimit.rules.Rule;
import io.ratelimit.rules.RuleSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Finds limits that hold less than a request of theirs costs, so that no such request can ever pass. */
final class CostCheck {

    private final RuleSet rules;

    CostCheck(RuleSet rules) {
        this.rules = rules;
    }

    /** One sentence for each such limit. */
    List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        for (OperationCost cost : rules.costs()) {
            for (Rule rule : rules.rules()) {
                limitsOf(rule)
                        .filter(limit -> !limit.isBlocked() && limit.capacity() < cost.cost())
                        .filter(limit -> mayMeet(cost.match(), rule.match()))
                        .forEach(limit -> warnings.add("rule '" + rule.name() + "': limit '" + limit
                                + "' holds less than the cost " + cost.cost() + " of " + describe(cost.match())
                                + ", so such a request is always refused"));
            }
        }
        return warnings;
    }

    private static Stream<Limit> limitsOf(Rule rule) {
        return Stream.concat(
                rule.limits().stream(),
                rule.overrides().stream().map(LimitOverride::limits).flatMap(List::stream));
    }

    private static boolean mayMeet(Condition cost, Condition rule) {
        return overlap(cost.methods(), rule.methods())
                && overlap(cost.operations(), rule.operations())
                && (cost.paths().isEmpty()
                        || rule.paths().isEmpty()
                        || anyExampleMatches(cost.paths(), rule.paths())
                        || anyExampleMatches(rule.paths(), cost.paths()));
    }

    private static boolean overlap(Set<String> one, Set<String> other) {
        return one.isEmpty() || other.isEmpty() || !Collections.disjoint(one, other);
    }

    /** Whether an example of a pattern, with its wildcards taken as text, is matched by one of the others. */
    private static boolean anyExampleMatches(List<PathPattern> examples, List<PathPattern> patterns) {
        PathTrie<PathPattern> trie = PathTrie.of(patterns);
        return examples.stream().anyMatch(example -> trie.matches(example.segments()));
    }

    private static String describe(Condition match) {
        return (match.paths().isEmpty() ? match.operations() : match.paths()).toString();
    }
}
