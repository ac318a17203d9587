package io.ratelimit.server.traffic.replay;

import java.util.List;

/**
 * What one set of rules made of a request.
 *
 * @param fate whether it passed: at once, at its turn or not
 * @param rules what each rule made of it that applies
 */
record Verdict(Fate fate, List<RuleVerdict> rules) {

    static final Verdict UNLIMITED = new Verdict(Fate.ALLOWED, List.of());

    /**
     * What one rule made of a request.
     *
     * @param rule the rule's name
     * @param fate whether the rule let it pass
     */
    record RuleVerdict(String rule, Fate fate) {}

    boolean isRefused() {
        return fate == Fate.REFUSED;
    }

    boolean isShadowed() {
        for (RuleVerdict rule : rules) {
            if (rule.fate == Fate.SHADOW) {
                return true;
            }
        }
        return false;
    }
}
