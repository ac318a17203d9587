package io.ratelimit.core.match;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.RequestContext;
import io.ratelimit.core.client.ClientAddressResolver;
import io.ratelimit.core.client.ClientIdentifiers;
import io.ratelimit.core.extension.Extensions;
import io.ratelimit.core.rules.NearestWord;
import io.ratelimit.core.rules.Printable;
import io.ratelimit.rules.Condition;
import io.ratelimit.rules.LimitOverride;
import io.ratelimit.rules.OperationCost;
import io.ratelimit.rules.Rule;
import io.ratelimit.rules.RuleSet;
import io.ratelimit.rules.StorePolicy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

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
    private final boolean readsAddresses;
    private final Map<String, CompiledRule> all = new LinkedHashMap<>();
    private final boolean mayQueue;

    /**
     * Compiles rules.
     *
     * @param ruleSet the rules of the source
     * @param declared rules that the application declares in its code, in addition
     * @param defaults what holds for rules that say nothing of the store
     * @param buckets those of this host that may be asked without the store
     * @param extensions what the application adds
     * @throws IllegalArgumentException if a limit is beyond exact arithmetic
     */
    CompiledRules(
            RuleSet ruleSet, List<Rule> declared, StoreDefaults defaults, BucketFinder buckets, Extensions extensions) {
        this.ruleSet = ruleSet;
        this.addresses = new ClientAddressResolver(ruleSet.addresses());
        UnreadableRequests unreadable = new UnreadableRequests();
        this.costs = new CompiledCosts(ruleSet.costs(), unreadable, extensions);
        this.attributes = new ResolvedAttributes(extensions.attributeResolvers(), extensions.faults());
        this.exempt = exempt(unreadable);
        this.identifiers = new ClientIdentifiers(ruleSet.clients(), ruleSet.addresses(), extensions);
        StorePolicy policy = defaults.with(ruleSet.store());
        ConditionIndex.Builder<CompiledRule> index = new ConditionIndex.Builder<>(unreadable);
        for (List<Rule> origin : List.of(ruleSet.rules(), declared)) {
            for (Rule rule : origin) {
                CompiledRule compiled = new CompiledRule(rule, identifiers, ruleSet, policy, buckets, unreadable);
                all.put(rule.name(), compiled);
                index.add(rule.match(), "match of rule '" + rule.name() + "'", compiled);
            }
        }
        this.rules = index.build();
        this.mayQueue = all.values().stream().anyMatch(CompiledRule::mayQueue);
        this.readsAddresses =
                conditions().anyMatch(condition -> !condition.addresses().isEmpty());
    }

    /**
     * The rules.
     *
     * @return those of the source and then those that the application declares
     */
    public Stream<Rule> rules() {
        return all.values().stream().map(CompiledRule::rule);
    }

    /**
     * How clients are told apart.
     *
     * @return the builders of their identifiers
     */
    public ClientIdentifiers identifiers() {
        return identifiers;
    }

    /**
     * Compiles rules for requests that no host has to decide, such as recorded ones: without extensions, so that what
     * these would find out stands in the request itself, and without a word to the log about the rules.
     *
     * @param rules the rules
     * @return the compiled rules, whose charges are for a store to be asked about
     * @throws IllegalArgumentException if a limit is beyond exact arithmetic
     */
    public static CompiledRules of(RuleSet rules) {
        return new CompiledRules(
                rules, List.of(), StoreDefaults.of(StorePolicy.UNSET), BucketFinder.NONE, Extensions.none());
    }

    private ConditionIndex<Condition> exempt(UnreadableRequests unreadable) {
        ConditionIndex.Builder<Condition> index = new ConditionIndex.Builder<>(unreadable);
        for (int i = 0; i < ruleSet.exempt().size(); i++) {
            Condition condition = ruleSet.exempt().get(i);
            index.add(condition, "exempt[" + i + "]", condition);
        }
        return index.build();
    }

    /**
     * All conditions that requests are asked by: those of exemptions, costs, rules and overrides.
     *
     * @return the conditions, those of rules that the application declares included
     */
    public Stream<Condition> conditions() {
        Stream<Condition> ofRules = rules().flatMap(rule ->
                Stream.concat(Stream.of(rule.match()), rule.overrides().stream().map(LimitOverride::when)));
        Stream<Condition> ofCosts = ruleSet.costs().stream().map(OperationCost::match);
        return Stream.of(ruleSet.exempt().stream(), ofCosts, ofRules).flatMap(Function.identity());
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
     * Whether a rule lets requests wait for their turn.
     *
     * @return false where each request is answered at once
     */
    public boolean mayQueue() {
        return mayQueue;
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
        return Optional.ofNullable(rule.limitsAt(-1)).map(limits -> limits.charge(client, cost));
    }

    /**
     * Makes a request ready to be matched: what is not cheap to find out is kept with it then.
     *
     * @param context the request
     * @return the request, for one use by one thread; itself where these rules ask for nothing of the kind
     */
    public RequestContext prepare(RequestContext context) {
        return readsAddresses || !attributes.areNone() ? matched(context) : context;
    }

    private MatchedRequest matched(RequestContext context) {
        return new MatchedRequest(context, attributes, addresses);
    }

    /**
     * The rules that apply to a request. A condition that throws at what it reads of the request does not hold, which is
     * reported once, and the others apply.
     *
     * @param request the request, {@linkplain #prepare prepared}
     * @return the rules in their order; empty where none limits the request
     */
    public List<CompiledRule> matching(RequestContext request) {
        return exempt.findFirst(request) == null ? rules.find(request) : List.of();
    }

    /**
     * What a request costs.
     *
     * @param request the request, {@linkplain #prepare prepared}
     * @return tokens, at least 0
     */
    public long costOf(RequestContext request) {
        return costs.costOf(request);
    }

    /**
     * What a request costs by the word of the application or of one of its resolvers.
     *
     * @param request the request, {@linkplain #prepare prepared}
     * @return tokens, or {@link RequestContext#NO_COST} where the rules alone say it
     */
    public long statedCostOf(RequestContext request) {
        return costs.statedCostOf(request);
    }

    /**
     * What a request is to be charged. A rule whose key throws at what it reads of the request is one without its key,
     * which is reported once, and the others apply.
     *
     * @param matching the rules that {@linkplain #matching apply}
     * @param request the request, {@linkplain #prepare prepared}
     * @return the charges of these rules
     */
    public RequestCharges chargesFor(List<CompiledRule> matching, RequestContext request) {
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
            ClientIdentifier client = rule.clientOf(request);
            if (client == null) {
                unidentified.add(rule.rule());
            } else {
                charges.add(limits.charge(client, cost));
            }
        }
        return new RequestCharges(charges, unidentified);
    }

    /**
     * What a request is to be charged under all rules that apply.
     *
     * @param context the request
     * @return the charges
     */
    public RequestCharges chargesFor(RequestContext context) {
        RequestContext request = prepare(context);
        return chargesFor(matching(request), request);
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
        return new RulesExplainer(ruleSet, identifiers, costs, matched(context)).explain(List.copyOf(all.values()));
    }
}
