package io.ratelimit.core.report;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.Decision;
import io.ratelimit.LimitStatus;
import io.ratelimit.RateLimitListener;
import io.ratelimit.RequestContext;
import io.ratelimit.rules.Rule;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Predicate;

/**
 * Counts decisions by the rule that decides, and refusals by client, while somebody wants to know. Each request counts once, but
 * for what shadow rules would refuse. Of very many rules only the first that decide are counted by themselves. Thread-safe.
 */
public final class DecisionCounts implements RateLimitListener {

    /** Of a report, which must not grow beyond its size. */
    static final int MOST_RULES = 2_000;

    /** Of the rules beyond these; no rule can have this name. */
    static final String OTHER_RULES = "(other)";

    /** Of requests that no limit was asked for, shadow rules apart; no rule can have this name. */
    static final String NO_RULE = "(none)";

    /** A service takes no longer names. */
    private static final int LONGEST_NAME = 200;

    private final ConcurrentMap<String, RuleCounter> byRule = new ConcurrentHashMap<>();
    private final RuleCounter otherRules = new RuleCounter();
    private final RuleCounter noRule = new RuleCounter();
    private final RefusedClients refusedClients = new RefusedClients();
    private final boolean clients;
    private volatile boolean wanted;

    /**
     * Begins with nothing counted and nobody who wants to know.
     *
     * @param detail whether refused clients are counted too
     */
    public DecisionCounts(ReportDetail detail) {
        this.clients = detail == ReportDetail.ALL;
    }

    void want(boolean now) {
        wanted = now;
    }

    /**
     * Whether decisions are counted now.
     *
     * @return true as long as somebody wants to know
     */
    public boolean isWanted() {
        return wanted;
    }

    @Override
    public void onDecision(RequestContext context, Decision decision) {
        if (!wanted) {
            return;
        }
        Rule rule = decision.decidingRule();
        if (rule == null) {
            noRule.count(decision.allowed());
        } else {
            count(rule, decision);
        }
        String before = null;
        for (LimitStatus shadow : decision.shadowRefusals()) {
            // A rule of several limits stands there several times.
            if (!shadow.rule().name().equals(before)) {
                of(shadow.rule()).countShadow();
            }
            before = shadow.rule().name();
        }
    }

    private void count(Rule rule, Decision decision) {
        boolean allowed = decision.allowed();
        of(rule).count(allowed);
        ClientIdentifier client = allowed || !clients ? null : decision.clientOf(rule);
        if (client != null) {
            refusedClients.count(rule.name(), client);
        }
    }

    private RuleCounter of(Rule rule) {
        RuleCounter known = byRule.get(rule.name());
        if (known != null) {
            return known;
        }
        return byRule.size() < MOST_RULES && rule.name().length() <= LONGEST_NAME
                ? byRule.computeIfAbsent(rule.name(), name -> new RuleCounter())
                : otherRules;
    }

    /**
     * What rules have decided since the last call, those only that have decided something.
     *
     * @param isInForce whether there is a rule of a name; one that is gone and has nothing more to tell is forgotten
     */
    Map<String, RuleCounts> nextByRule(Predicate<String> isInForce) {
        Map<String, RuleCounts> told = new TreeMap<>();
        byRule.forEach((name, counter) -> {
            RuleCounts more = counter.next();
            if (!more.equals(RuleCounts.NONE)) {
                told.put(name, more);
            } else if (!isInForce.test(name)) {
                byRule.remove(name);
            }
        });
        tell(OTHER_RULES, otherRules, told);
        tell(NO_RULE, noRule, told);
        return told;
    }

    private static void tell(String name, RuleCounter counter, Map<String, RuleCounts> told) {
        RuleCounts more = counter.next();
        if (!more.equals(RuleCounts.NONE)) {
            told.put(name, more);
        }
    }

    /** The clients refused most since the last call, in that order, with how often. */
    Map<RefusedClient, Long> nextRefusedClients() {
        return refusedClients.next();
    }
}
