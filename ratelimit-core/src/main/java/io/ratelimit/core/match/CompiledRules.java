package io.ratelimit.core.match;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.RequestContext;
import io.ratelimit.core.client.ClientAddressResolver;
import io.ratelimit.core.client.ClientIdentifiers;
import io.ratelimit.core.extension.Extensions;
import io.ratelimit.core.rules.NearestWord;
import io.ratelimit.core.rules.Printable;
import io.ratelimit.rules.Condition;
import io.ratelimit.rules.Rule;
import io.ratelimit.rules.RuleSet;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.Charge;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A rule set made ready to be asked of many requests. Immutable; safe for use by any thread.
 */
public final class CompiledRules {

    private final RuleSet ruleSet;
    private final ClientAddressResolver addresses;
    private final ConditionIndex<Condition> exempt;
    private final ConditionIndex<CompiledRule> rules;
    private final CompiledCosts costs;
    private final ResolvedAttributes attributes;
    private final ClientIdentifiers identifiers;
    private final Map<String, CompiledRule> all = new LinkedHashMap<>();

    /**
     * Compiles rules.
     *
     * @param ruleSet the rules of the source
     * @param declared rules that the application declares in its code, in addition
     * @param host the host's defaults, which stand before those of the rule set
     * @param extensions what the application adds
     * @throws IllegalArgumentException if a limit is beyond exact arithmetic
     */
    CompiledRules(RuleSet ruleSet, List<Rule> declared, StorePolicy host, Extensions extensions) {
        this.ruleSet = ruleSet;
        this.addresses = new ClientAddressResolver(ruleSet.addresses());
        UnreadableRequests unreadable = new UnreadableRequests();
        this.exempt = new ConditionIndex<>(unreadable);
        this.rules = new ConditionIndex<>(unreadable);
        this.costs = new CompiledCosts(ruleSet.costs(), unreadable, extensions);
        this.attributes = new ResolvedAttributes(extensions.attributeResolvers(), extensions.faults());
        for (int i = 0; i < ruleSet.exempt().size(); i++) {
            Condition condition = ruleSet.exempt().get(i);
            exempt.add(condition, "exempt[" + i + "]", condition);
        }
        this.identifiers = new ClientIdentifiers(ruleSet.clients(), ruleSet.addresses(), extensions);
        StorePolicy policy = host.orElse(ruleSet.store()).orElse(StorePolicy.BUILT_IN);
        for (List<Rule> origin : List.of(ruleSet.rules(), declared)) {
            for (Rule rule : origin) {
                CompiledRule compiled = new CompiledRule(rule, identifiers, ruleSet, policy, unreadable);
                all.put(rule.name(), compiled);
                rules.add(rule.match(), "match of rule '" + rule.name() + "'", compiled);
            }
        }
    }

    /**
     * The rules that were compiled.
     *
     * @return the rules as their source gave them
     */
    public RuleSet ruleSet() {
        return ruleSet;
    }

    /**
     * Whether no source has given rules yet, so that nothing is limited.
     *
     * @return true before the first rules, unless the application has declared some
     */
    public boolean areMissing() {
        return all.isEmpty() && ruleSet.version() == Long.MIN_VALUE;
    }

    /**
     * What somebody who names a rule is to be charged under it. There is no request that could meet the conditions of
     * the rule or of its overrides: the rule's own limits count.
     *
     * @param name the rule's name
     * @param client whose buckets
     * @param cost tokens, at least 0
     * @return the charge; empty where the rule has no limits
     * @throws IllegalArgumentException if no rule has this name, where the message names the nearest one, or if the rule
     *     tells clients apart by something else
     */
    public Optional<RuleCharge> chargeOf(String name, ClientIdentifier client, long cost) {
        CompiledRule rule = all.get(name);
        if (rule == null) {
            throw new IllegalArgumentException(
                    "no rule is named " + Printable.quoted(name) + NearestWord.hint(name, all.keySet()));
        }
        rule.checkKind(client);
        return Optional.ofNullable(rule.limitsAt(-1))
                .map(limits -> new RuleCharge(limits, new Charge(client, limits.bucket(), cost).as(rule.chargeKind())));
    }

    /**
     * What a request is to be charged. A condition that throws at what it reads of the request does not hold, and a rule
     * whose key does is one without its key; either is reported once, and the others apply.
     *
     * @param context the request
     * @return the charges of all rules that apply
     */
    public RequestCharges chargesFor(RequestContext context) {
        MatchedRequest request = new MatchedRequest(attributes.of(context), addresses);
        if (!exempt.isEmpty() && !exempt.find(request).isEmpty()) {
            return RequestCharges.NONE;
        }
        List<CompiledRule> matching = rules.find(request);
        if (matching.isEmpty()) {
            return RequestCharges.NONE;
        }
        long cost = costs.costOf(request);
        List<RuleCharge> charges = new ArrayList<>(matching.size());
        List<Rule> unidentified = new ArrayList<>(0);
        for (CompiledRule rule : matching) {
            LimitedRule limits = rule.limitsFor(request);
            if (limits == null) {
                continue;
            }
            ClientIdentifier client = rule.clientOf(request.context());
            if (client == null) {
                unidentified.add(rule.rule());
            } else {
                charges.add(new RuleCharge(limits, new Charge(client, limits.bucket(), cost).as(rule.chargeKind())));
            }
        }
        return new RequestCharges(charges, unidentified);
    }

    /**
     * Explains what the rules make of a request, each of them. Takes a time that grows with the number of rules. Of what
     * cannot be read only faults of the application's extensions are reported.
     *
     * @param context the request
     * @return each rule with the reason why it applies or not
     * @throws RuntimeException if the request cannot be decided either
     */
    public ExplainedRequest explain(RequestContext context) {
        return new RulesExplainer(ruleSet, identifiers, costs, new MatchedRequest(attributes.of(context), addresses))
                .explain(List.copyOf(all.values()));
    }
}
