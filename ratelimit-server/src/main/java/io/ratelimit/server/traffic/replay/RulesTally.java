package io.ratelimit.server.traffic.replay;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counts what one set of rules made of requests, as a whole and rule by rule. Not thread-safe. */
final class RulesTally {

    private final Map<String, Basis> bases;
    private final Tally whole = new Tally();
    private final Map<String, Tally> byRule = new HashMap<>();

    /** Begins with the rules' names and what can be said of them. */
    RulesTally(Map<String, Basis> bases) {
        this.bases = bases;
    }

    void count(Verdict verdict, String client, double share) {
        whole.count(verdict.fate(), client, share);
        if (verdict.isShadowed()) {
            whole.countShadow(client, share);
        }
        for (Verdict.RuleVerdict rule : verdict.rules()) {
            byRule.computeIfAbsent(rule.rule(), name -> new Tally()).count(rule.fate(), client, share);
        }
    }

    Figures figures() {
        return whole.figures();
    }

    /** What a rule made of requests, or null where the set has none of this name. */
    @Nullable
    RuleFigures figuresOf(String rule) {
        Basis basis = bases.get(rule);
        Tally tally = byRule.getOrDefault(rule, new Tally());
        return basis == null ? null : new RuleFigures(basis, tally.requests(), tally.figures());
    }
}
