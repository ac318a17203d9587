package io.ratelimit.core.lint;

import io.ratelimit.rules.Condition;
import io.ratelimit.rules.Identity;
import io.ratelimit.rules.Key;
import io.ratelimit.rules.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds rules that tell clients apart by a header or a cookie that nobody verifies, unless another rule that no invented
 * value gets round covers the same requests.
 */
final class InventedIdentityCheck implements RulesCheck {

    private static final String CONSEQUENCE =
            ", which nobody vouches for: a client that invents values gets a fresh bucket each time; add a rule with key"
                    + " ip for the same paths, or let the application verify the value";

    /** More names of rules than these are counted only. */
    private static final int MOST_NAMES = 3;

    @Override
    public void check(LintedRules rules, Findings findings) {
        CoverIndex<String> bounded = new CoverIndex<>();
        rules.inForce().stream()
                .filter(rule -> !rule.limits().isEmpty() && isBound(rule.key(), rules))
                .forEach(rule -> bounded.add(rule.match(), rule.name()));
        List<Rule> byClients = new ArrayList<>();
        for (Rule rule : rules.inForce()) {
            Optional<Identity> invented = invented(rule.key(), rules);
            if (invented.isEmpty() || !limits(rule) || isCovered(rule.match(), bounded)) {
                continue;
            }
            if (rule.key() instanceof Key.Client) {
                byClients.add(rule);
            } else {
                findings.warning(
                        LintedRules.place(rule),
                        LintedRules.place(rule) + " tells clients apart by '" + invented.get() + "'" + CONSEQUENCE);
            }
        }
        reportClients(byClients, rules, findings);
    }

    /** One finding for the identity, not one for each rule that uses it. */
    private static void reportClients(List<Rule> uncovered, LintedRules rules, Findings findings) {
        if (uncovered.isEmpty()) {
            return;
        }
        Identity invented = invented(new Key.Client(), rules).orElseThrow();
        String names = String.join(
                ", ",
                uncovered.stream()
                        .limit(MOST_NAMES)
                        .map(rule -> "'" + rule.name() + "'")
                        .toList());
        int more = uncovered.size() - MOST_NAMES;
        findings.warning(
                "clients",
                "clients: rules tell clients apart by '" + invented + "' (" + names
                        + (more > 0 ? " and " + more + " more" : "") + ")" + CONSEQUENCE);
    }

    private static boolean limits(Rule rule) {
        return Stream.concat(
                        rule.limits().stream(),
                        rule.overrides().stream().flatMap(override -> override.limits().stream()))
                .anyMatch(limit -> !limit.isBlocked());
    }

    private static boolean isCovered(Condition match, CoverIndex<String> bounded) {
        return ConditionRelation.byPath(match).stream()
                .allMatch(part -> bounded.covering(part).isPresent());
    }

    /** The first identity that a client can choose a value for; whatever stands behind the address is never asked. */
    private static Optional<Identity> invented(Key key, LintedRules rules) {
        if (key instanceof Key.Composite composite) {
            return composite.parts().stream()
                    .filter(part -> isInvented(part, rules))
                    .findFirst();
        }
        return alternatives(key, rules).stream()
                .takeWhile(identity -> identity.kind() != Identity.Kind.IP)
                .filter(identity -> isInvented(identity, rules))
                .findFirst();
    }

    /** Whether every client meets the key's buckets, in one that it cannot change at will. */
    private static boolean isBound(Key key, LintedRules rules) {
        if (key instanceof Key.Service) {
            return true;
        }
        if (key instanceof Key.Composite composite) {
            return composite.parts().equals(List.of(Identity.of(Identity.Kind.IP)));
        }
        for (Identity identity : alternatives(key, rules)) {
            if (identity.kind() == Identity.Kind.IP) {
                return true;
            }
            if (identity.kind() == Identity.Kind.BEARER || isInvented(identity, rules)) {
                return false;
            }
        }
        return false;
    }

    private static List<Identity> alternatives(Key key, LintedRules rules) {
        if (key instanceof Key.FirstPresent firstPresent) {
            return firstPresent.alternatives();
        }
        return key instanceof Key.Client ? rules.set().clients() : List.of();
    }

    private static boolean isInvented(Identity identity, LintedRules rules) {
        return (identity.kind() == Identity.Kind.HEADER || identity.kind() == Identity.Kind.COOKIE)
                && !rules.vouched().test(identity);
    }
}
