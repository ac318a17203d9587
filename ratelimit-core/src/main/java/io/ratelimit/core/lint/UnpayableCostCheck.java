package io.ratelimit.core.lint;

import io.ratelimit.rules.Condition;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.LimitOverride;
import io.ratelimit.rules.OperationCost;
import io.ratelimit.rules.PathPattern;
import io.ratelimit.rules.Rule;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Finds limits that hold less than a request of theirs costs, so that no such request can ever pass. */
final class UnpayableCostCheck implements RulesCheck {

    /**
     * A rule.
     *
     * @param smallest the capacity of its smallest limit, overrides included
     */
    private record Sized(Rule rule, long smallest) {

        static Sized of(Rule rule) {
            long smallest = Stream.concat(
                            rule.limits().stream(),
                            rule.overrides().stream().map(LimitOverride::limits).flatMap(List::stream))
                    .filter(limit -> !limit.isBlocked())
                    .mapToLong(Limit::capacity)
                    .min()
                    .orElse(Long.MAX_VALUE);
            return new Sized(rule, smallest);
        }
    }

    /** One path of an entry of costs. */
    private record Priced(int entry, Condition match, long cost) {}

    @Override
    public void check(LintedRules rules, Findings findings) {
        new Search(rules, findings).run();
    }

    private static final class Search {

        private final LintedRules rules;
        private final Findings findings;
        private final CoverIndex<String> exempt;
        private final CoverIndex<Priced> costs = new CoverIndex<>();
        private final PathIndex<Sized> byPath = new PathIndex<>();
        private final List<Sized> smallestFirst;
        private final List<Sized> withoutPath;

        Search(LintedRules rules, Findings findings) {
            this.rules = rules;
            this.findings = findings;
            this.exempt = ExemptRuleCheck.exemptOf(rules);
            this.smallestFirst = rules.inForce().stream()
                    .map(Sized::of)
                    .sorted(Comparator.comparingLong(Sized::smallest))
                    .toList();
            this.withoutPath = smallestFirst.stream()
                    .filter(sized -> sized.rule.match().paths().isEmpty())
                    .toList();
        }

        void run() {
            List<Priced> priced = priced();
            priced.forEach(cost -> costs.add(cost.match, cost));
            smallestFirst.forEach(sized -> sized.rule.match().paths().forEach(path -> byPath.add(path, sized)));
            priced.forEach(cost -> candidates(cost, sized -> compare(cost, sized.rule)));
        }

        private List<Priced> priced() {
            List<Priced> priced = new ArrayList<>();
            List<OperationCost> entries = rules.set().costs();
            for (int i = 0; i < entries.size(); i++) {
                if (entries.get(i).resolver() != null) {
                    // What it answers is known only when a request comes.
                    continue;
                }
                for (Condition part : ConditionRelation.byPath(entries.get(i).match())) {
                    priced.add(new Priced(i, part, entries.get(i).cost()));
                }
            }
            return priced;
        }

        /** Rules with a limit that is too small, and whose paths may meet those of the cost. */
        private void candidates(Priced cost, Consumer<Sized> found) {
            if (findings.isFull() || smallestFirst.isEmpty() || smallestFirst.get(0).smallest >= cost.cost) {
                return;
            }
            if (cost.match.paths().isEmpty()) {
                smaller(smallestFirst, cost).forEach(found);
                return;
            }
            smaller(withoutPath, cost).forEach(found);
            byPath.meeting(cost.match.paths().get(0)).stream()
                    .filter(sized -> sized.smallest < cost.cost)
                    .sorted(Comparator.comparing(sized -> sized.rule.name()))
                    .forEach(found);
        }

        private Stream<Sized> smaller(Collection<Sized> sorted, Priced cost) {
            return sorted.stream().takeWhile(sized -> sized.smallest < cost.cost && !findings.isFull());
        }

        private void compare(Priced cost, Rule rule) {
            if (findings.isFull() || isUnsure(cost.match, rule.match()) || isFree(cost, rule.match())) {
                return;
            }
            WideCondition[] earlier = new WideCondition[rule.overrides().size()];
            for (int i = 0; i < earlier.length; i++) {
                LimitOverride override = rule.overrides().get(i);
                boolean chosen = noneCovers(earlier, i, cost.match, rule.match(), override.when())
                        && !isFree(cost, rule.match(), override.when());
                boolean meets = ConditionRelation.both(rule.match(), override.when())
                        .filter(both -> !isUnsure(cost.match, both))
                        .isPresent();
                if (chosen && meets) {
                    report(cost, rule, override.limits());
                }
                earlier[i] = new WideCondition(override.when());
            }
            if (noneCovers(earlier, earlier.length, cost.match, rule.match())) {
                report(cost, rule, rule.limits());
            }
        }

        private static boolean noneCovers(WideCondition[] conditions, int count, Condition... narrow) {
            for (int i = 0; i < count; i++) {
                if (conditions[i].covers(narrow)) {
                    return false;
                }
            }
            return true;
        }

        /** Whether a request of both may not exist: nobody can tell from the rules which paths lead to an operation. */
        private static boolean isUnsure(Condition cost, Condition rule) {
            return ConditionRelation.areDisjoint(cost, rule)
                    || isOperationBesidePath(cost, rule)
                    || isOperationBesidePath(rule, cost);
        }

        private static boolean isOperationBesidePath(Condition one, Condition other) {
            return one.namesOperation()
                    && one.paths().isEmpty()
                    && !other.paths().isEmpty()
                    && !other.namesOperation();
        }

        /** Whether requests of all these may be exempt, or have another cost. */
        private boolean isFree(Priced cost, Condition... others) {
            Condition[] all =
                    Stream.concat(Stream.of(cost.match), Stream.of(others)).toArray(Condition[]::new);
            return exempt.covering(all).isPresent()
                    || costs.allCovering(all).anyMatch(other -> mayPrevail(other, cost));
        }

        private static boolean mayPrevail(Priced other, Priced cost) {
            List<String> path = segments(cost);
            List<String> its = segments(other);
            return path.equals(its) ? other.entry < cost.entry : !isSurelyMoreGeneral(its, path);
        }

        /** A pattern whose only wildcard of any length is its end: where it covers another one, it is more general. */
        private static boolean isSurelyMoreGeneral(List<String> wide, List<String> narrow) {
            PathIndex<String> index = new PathIndex<>();
            index.add(new PathPattern("", wide), "");
            int repeats = wide.indexOf(PathPattern.ANY_SEGMENTS);
            return (repeats < 0 || repeats == wide.size() - 1)
                    && !index.covering(new PathPattern("", narrow)).isEmpty();
        }

        private static List<String> segments(Priced cost) {
            return cost.match.paths().isEmpty()
                    ? List.of(PathPattern.ANY_SEGMENTS)
                    : cost.match.paths().get(0).segments();
        }

        private void report(Priced cost, Rule rule, List<Limit> limits) {
            String place = LintedRules.place(rule);
            limits.stream()
                    .filter(limit -> !limit.isBlocked() && limit.capacity() < cost.cost)
                    .forEach(limit -> findings.warning(
                            place,
                            place + ": limit '" + limit + "' holds less than the cost " + cost.cost + " of "
                                    + describe(cost.entry)
                                    + ", so such a request is always refused"));
        }

        private String describe(int entry) {
            Condition match = rules.set().costs().get(entry).match();
            if (!match.paths().isEmpty()) {
                return match.paths().toString();
            }
            return match.operations().isEmpty()
                    ? "costs[" + entry + "]"
                    : match.operations().toString();
        }
    }
}
