package io.ratelimit.core.match;

import io.ratelimit.RateLimitListener;
import io.ratelimit.core.extension.Extensions;
import io.ratelimit.rules.Rule;
import io.ratelimit.rules.RuleSet;
import io.ratelimit.rules.StorePolicy;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the rules in force. A decision reads them once and keeps what it read, so that a swap never mixes two sets;
 * buckets carry their budgets over by the rules' names. Thread-safe.
 */
public final class RulesCache {

    private static final Logger LOG = LoggerFactory.getLogger(RulesCache.class);

    private final StorePolicy host;
    private final RateLimitListener listener;
    private final Extensions extensions;
    private final Map<String, Rule> declared = new LinkedHashMap<>();
    private final Set<String> sameNamesReported = new HashSet<>();
    private volatile CompiledRules current;

    /**
     * Starts with rules that let everything pass, without extensions.
     *
     * @param host the host's defaults, which stand before those of the rule set
     * @param listener hears of each swap
     */
    public RulesCache(StorePolicy host, RateLimitListener listener) {
        this(host, listener, Extensions.none());
    }

    /**
     * Starts with rules that let everything pass.
     *
     * @param host the host's defaults, which stand before those of the rule set
     * @param listener hears of each swap
     * @param extensions what the application adds
     */
    public RulesCache(StorePolicy host, RateLimitListener listener, Extensions extensions) {
        this.host = host;
        this.listener = listener;
        this.extensions = extensions;
        this.current = compile(RuleSet.open("unknown"), List.of());
    }

    /**
     * The rules in force.
     *
     * @return one consistent set
     */
    public CompiledRules current() {
        return current;
    }

    /**
     * Puts other rules in force, for all decisions that begin from now on.
     *
     * @param rules the rules
     * @throws IllegalArgumentException if a limit is beyond exact arithmetic; the rules in force stay
     */
    public synchronized void replace(RuleSet rules) {
        current = compile(rules, declaredBeside(rules));
        Stream.of(new CostCheck(rules).warnings(), new ResolverCheck(rules, extensions).warnings())
                .flatMap(List::stream)
                .forEach(warning -> LOG.warn("Rules of {}: {}", rules.service(), warning));
        listener.onReload(rules);
    }

    /**
     * Adds a rule that the application declares in its code for one operation. A rule of the rules file that names the
     * same operation replaces it, and so does one of the same name.
     *
     * @param rule a rule that matches one operation
     * @throws IllegalArgumentException if a limit is beyond exact arithmetic; the rule is not added then
     */
    public synchronized void declare(Rule rule) {
        if (rule.equals(declared.get(rule.name()))) {
            return;
        }
        Rule before = declared.put(rule.name(), rule);
        RuleSet rules = current.ruleSet();
        try {
            current = compile(rules, declaredBeside(rules));
        } catch (IllegalArgumentException e) {
            declared.remove(rule.name());
            if (before != null) {
                declared.put(rule.name(), before);
            }
            throw e;
        }
    }

    private CompiledRules compile(RuleSet rules, List<Rule> beside) {
        return new CompiledRules(rules, beside, host, extensions);
    }

    private List<Rule> declaredBeside(RuleSet rules) {
        reportSameNames(rules);
        return declared.values().stream()
                .filter(rule -> rules.rules().stream().noneMatch(other -> replaces(other, rule)))
                .toList();
    }

    private static boolean replaces(Rule filed, Rule declared) {
        return filed.name().equals(declared.name()) || namesOperationOf(filed, declared);
    }

    private static boolean namesOperationOf(Rule filed, Rule declared) {
        return filed.match().operations().stream().anyMatch(declared.match().operations()::contains);
    }

    /** Buckets are named after rules, so the name alone replaces; where the rule means something else, nobody expects it. */
    private void reportSameNames(RuleSet rules) {
        for (Rule filed : rules.rules()) {
            Rule replaced = declared.get(filed.name());
            if (replaced != null && !namesOperationOf(filed, replaced) && sameNamesReported.add(filed.name())) {
                LOG.warn(
                        "Rules of {}: rule '{}' does not name operation {}, but has the name of its limits in the code,"
                                + " which therefore do not hold; rename the rule, or let it match the operation",
                        rules.service(),
                        filed.name(),
                        replaced.match().operations());
            }
        }
    }
}
