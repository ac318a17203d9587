package io.ratelimit.core.metrics;

import com.google.common.collect.Sets;
import io.ratelimit.Decision;
import io.ratelimit.LimitStatus;
import io.ratelimit.rules.Rule;
import io.ratelimit.rules.RuleSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Counts decisions by rule. The names stay few: a rule that is taken out of the rules loses its counters, and of very many
 * rules only the first that decide have counters of their own. Thread-safe.
 */
final class DecisionMeters {

    /** Of one engine; each has five counters at most. */
    static final int MOST_RULES = 1_000;

    /** No rule can have these names. */
    static final String NO_RULE = "(none)";

    static final String OTHER_RULES = "(other)";

    private final OwnMeters meters;
    private final ConcurrentMap<String, RuleMeters> byRule = new ConcurrentHashMap<>();
    private final RuleMeters noRule;
    private final RuleMeters otherRules;

    private Set<String> inForce = Set.of();

    /** Of the rules before: a decision of one that is gone may come late, and makes its counters anew. */
    private Set<String> before = Set.of();

    DecisionMeters(OwnMeters meters) {
        this.meters = meters;
        this.noRule = new RuleMeters(NO_RULE, meters);
        this.otherRules = new RuleMeters(OTHER_RULES, meters);
    }

    void count(Decision decision) {
        of(decision.decidingRule()).count(DecisionOutcome.of(decision));
        for (LimitStatus shadow : decision.shadowRefusals()) {
            of(shadow.rule()).count(DecisionOutcome.SHADOW);
        }
    }

    private RuleMeters of(@Nullable Rule rule) {
        if (rule == null) {
            return noRule;
        }
        RuleMeters known = byRule.get(rule.name());
        if (known != null) {
            return known;
        }
        return byRule.size() < MOST_RULES
                ? byRule.computeIfAbsent(rule.name(), name -> new RuleMeters(name, meters))
                : otherRules;
    }

    /** Rules that the application's code declares are in no rule set, and keep their counters. */
    synchronized void reload(RuleSet rules) {
        Set<String> known = Sets.union(before, inForce);
        Set<String> now = rules.rules().stream().map(Rule::name).collect(Collectors.toUnmodifiableSet());
        for (String name : known) {
            RuleMeters gone = now.contains(name) ? null : byRule.remove(name);
            if (gone != null) {
                gone.remove();
            }
        }
        before = inForce;
        inForce = now;
    }
}
