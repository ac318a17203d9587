package io.ratelimit.core.match;

import com.google.common.hash.Hashing;
import io.ratelimit.ClientIdentifierBuilder;
import io.ratelimit.rules.Condition;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.LimitOverride;
import io.ratelimit.rules.Rule;
import io.ratelimit.rules.RuleSet;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A rule with its key, its buckets and those of its overrides made ready. */
final class CompiledRule {

    private record CompiledOverride(
            CompiledCondition when, @Nullable LimitedRule limits) {}

    private final Rule rule;
    private final ClientIdentifierBuilder key;
    private final @Nullable LimitedRule limits;
    private final List<CompiledOverride> overrides = new ArrayList<>();

    /**
     * Compiles a rule.
     *
     * @param rules the set that the rule stands in or beside, for its service and version
     * @param policy how the shared store is used where the rule does not say
     */
    CompiledRule(Rule rule, ClientIdentifierBuilder key, RuleSet rules, StorePolicy policy) {
        this.rule = rule;
        this.key = key;
        StorePolicy store = rule.store().orElse(policy);
        this.limits = limited(rule.name(), rules, rule.limits(), store);
        for (LimitOverride override : rule.overrides()) {
            String name = rule.name() + "/" + fingerprint(override.when());
            overrides.add(new CompiledOverride(
                    new CompiledCondition(override.when()), limited(name, rules, override.limits(), store)));
        }
    }

    Rule rule() {
        return rule;
    }

    ClientIdentifierBuilder key() {
        return key;
    }

    /** The limits for a request, or null where it is unlimited. */
    @Nullable
    LimitedRule limitsFor(MatchedRequest request) {
        for (CompiledOverride override : overrides) {
            if (override.when.holds(request)) {
                return override.limits;
            }
        }
        return limits;
    }

    private @Nullable LimitedRule limited(String name, RuleSet rules, List<Limit> limits, StorePolicy store) {
        return limits.isEmpty()
                ? null
                : LimitedRule.of(rule, new BucketSpec(rules.service(), name, rules.version(), limits, store));
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
