package io.ratelimit.core.match;

import com.google.common.base.Suppliers;
import com.google.common.hash.Hashing;
import io.ratelimit.ClientIdentifier;
import io.ratelimit.ClientIdentifierBuilder;
import io.ratelimit.RequestContext;
import io.ratelimit.core.algorithm.LimitAlgorithm;
import io.ratelimit.core.client.ClientIdentifiers;
import io.ratelimit.core.client.SingleIdentifier;
import io.ratelimit.core.rules.Printable;
import io.ratelimit.core.rules.RuleCheck;
import io.ratelimit.rules.Condition;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.LimitOverride;
import io.ratelimit.rules.PathPattern;
import io.ratelimit.rules.Rule;
import io.ratelimit.rules.RuleSet;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.Charge;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A rule with its key, its buckets and those of its overrides made ready. Immutable; safe for use by any thread. */
public final class CompiledRule {

    /**
     * What a rule or one of its overrides sets.
     *
     * @param limits the limits, or null where there are none
     * @param direct the way to the limits' buckets without the store, where that need not be asked. Found when a request
     *     first asks for it: an application that declares a thousand rules has them all compiled a thousand times
     */
    private record Choice(@Nullable LimitedRule limits, Supplier<Optional<DirectRule>> direct) {}

    /**
     * An override.
     *
     * @param paths whether a path is one of its own, or null where it holds for all
     * @param when its other criteria
     * @param choice what it sets
     */
    private record CompiledOverride(
            @Nullable PathAutomaton<PathPattern, Boolean> paths, CompiledCondition when, Choice choice) {

        boolean holds(RequestContext request) {
            return (paths == null || paths.of(request.path())) && when.holdsBesidesPath(request);
        }
    }

    private final Rule rule;
    private final ClientIdentifierBuilder key;
    private final List<String> kinds;
    private final List<SingleIdentifier> ways;
    private final UnreadableRequests unreadable;
    private final Choice own;
    private final List<CompiledOverride> overrides;

    /**
     * Compiles a rule.
     *
     * @param clients makes the builder of its key
     * @param rules the set that the rule stands in or beside, for its service and version
     * @param policy how the shared store is used where the rule does not say
     * @param buckets those of this host that may be asked without the store
     * @param unreadable hears of requests that lack what the rule asks for
     */
    CompiledRule(
            Rule rule,
            ClientIdentifiers clients,
            RuleSet rules,
            StorePolicy policy,
            BucketFinder buckets,
            UnreadableRequests unreadable) {
        this.rule = rule;
        this.key = clients.builder(rule.key());
        this.kinds = clients.kinds(rule.key());
        this.ways = clients.ways(rule.key());
        this.unreadable = unreadable;
        StorePolicy store = checkedStore(rule, policy);
        this.own = choice(limited(rule, rule.name(), rules.service(), rules.version(), rule.limits(), store), buckets);
        List<CompiledOverride> compiled = new ArrayList<>();
        for (int i = 0; i < rule.overrides().size(); i++) {
            LimitOverride override = rule.overrides().get(i);
            Condition when = override.when();
            String place = "overrides[" + i + "] of rule '" + rule.name() + "'";
            compiled.add(new CompiledOverride(
                    when.paths().isEmpty()
                            ? null
                            : new PathAutomaton<>(PathTrie.of(when.paths()), found -> !found.isEmpty()),
                    new CompiledCondition(when, place, unreadable),
                    choice(
                            limited(
                                    rule,
                                    rule.name() + "/" + fingerprint(when),
                                    rules.service(),
                                    rules.version(),
                                    override.limits(),
                                    store),
                            buckets)));
        }
        this.overrides = List.copyOf(compiled);
    }

    private static StorePolicy checkedStore(Rule rule, StorePolicy policy) {
        StorePolicy store = rule.store().orElse(policy);
        List<String> problems = RuleCheck.of(rule, store);
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException("rule '" + rule.name() + "': " + problems.get(0));
        }
        return store;
    }

    /** The limits of a rule that is part of no rule set; empty where it has none. */
    static Optional<LimitedRule> limited(Rule rule, String service, long version, StorePolicy policy) {
        StorePolicy store = checkedStore(rule, policy);
        // No rule of a rules file has such a name, so that it shares no bucket with this one.
        String name = service + ":" + rule.name();
        return Optional.ofNullable(limited(rule, name, service, version, rule.limits(), store));
    }

    private Choice choice(@Nullable LimitedRule limits, BucketFinder buckets) {
        if (limits == null
                || limits.mustBeSettled()
                || LimitedRule.chargeKind(rule) != Charge.Kind.BINDING
                || ways.isEmpty()) {
            return new Choice(limits, Optional::empty);
        }
        return new Choice(
                limits,
                Suppliers.memoize(() -> Optional.ofNullable(buckets.of(limits.bucket()))
                        .map(direct -> new DirectRule(limits, direct, ways, unreadable))));
    }

    Rule rule() {
        return rule;
    }

    /**
     * Whether a request that these limits refuse may wait for its turn.
     *
     * @return true if the rule says so
     */
    public boolean mayQueue() {
        return rule.onExceeded().line() != null;
    }

    /** The client of a request, or null where the request does not carry what the key is built from, or throws. */
    @Nullable
    ClientIdentifier clientOf(RequestContext context) {
        try {
            return key.build(context);
        } catch (Throwable e) {
            unreadable.reportKey(rule, e);
            return null;
        }
    }

    /**
     * Refuses a client that no request could be.
     *
     * @throws IllegalArgumentException if the rule tells clients apart by something else
     */
    void checkKind(ClientIdentifier client) {
        if (!kinds.contains(client.kind())) {
            throw new IllegalArgumentException(
                    "rule '" + rule.name() + "' tells clients apart by " + String.join(" or ", kinds) + ", and not by "
                            + Printable.quoted(client.kind()) + ": nobody else would be this client");
        }
    }

    /** The limits for a request, or null where it is unlimited. */
    @Nullable
    LimitedRule limitsFor(RequestContext request) {
        return choose(request).limits;
    }

    /**
     * The way to the buckets for a request that no other rule applies to.
     *
     * @param request the request, {@linkplain CompiledRules#prepare prepared}
     * @return the limits for the request; null where they are lifted, or the store must be asked
     */
    public @Nullable DirectRule directFor(RequestContext request) {
        return choose(request).direct.get().orElse(null);
    }

    private Choice choose(RequestContext request) {
        for (int i = 0; i < overrides.size(); i++) {
            CompiledOverride override = overrides.get(i);
            if (override.holds(request)) {
                return override.choice;
            }
        }
        return own;
    }

    /**
     * The limits of an override, or null where it is unlimited.
     *
     * @param override its place, or -1 for the rule's own limits
     */
    @Nullable
    LimitedRule limitsAt(int override) {
        return (override < 0 ? own : overrides.get(override).choice).limits;
    }

    private static @Nullable LimitedRule limited(
            Rule rule, String name, String service, long version, List<Limit> limits, StorePolicy store) {
        // Rules of a file were checked where their lines are known; rules made in Java are checked here.
        limits.forEach(LimitAlgorithm::of);
        return limits.isEmpty() ? null : LimitedRule.of(rule, new BucketSpec(service, name, version, limits, store));
    }

    /** Names an override by what it says rather than by its place, so that its buckets survive a reordering. */
    private static String fingerprint(Condition when) {
        TreeMap<String, TreeSet<String>> attributes = new TreeMap<>();
        when.attributes().forEach((name, values) -> attributes.put(name, new TreeSet<>(values)));
        String text = String.join(
                "|",
                when.paths().toString(),
                new TreeSet<>(when.methods()).toString(),
                new TreeSet<>(when.operations()).toString(),
                new TreeSet<>(when.users()).toString(),
                when.addresses().toString(),
                attributes.toString());
        return Hashing.sipHash24().hashString(text, StandardCharsets.UTF_8).toString();
    }
}
