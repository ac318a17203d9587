package io.ratelimit.core.match;

import io.ratelimit.RateLimitListener;
import io.ratelimit.core.extension.Extensions;
import io.ratelimit.core.lint.LintFinding;
import io.ratelimit.core.lint.RulesLint;
import io.ratelimit.rules.Rule;
import io.ratelimit.rules.RuleSet;
import io.ratelimit.rules.StorePolicy;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the rules in force. A decision reads them once and keeps what it read, so that a swap never mixes two sets;
 * buckets carry their budgets over by the rules' names. Thread-safe.
 */
public final class RulesCache {

    private static final Logger LOG = LoggerFactory.getLogger(RulesCache.class);

    private final BucketFinder buckets;
    private final StoreDefaults defaults;
    private final RateLimitListener listener;
    private final Extensions extensions;
    private final Map<String, Rule> declared = new LinkedHashMap<>();
    private final RulesLint lint;
    private final Set<LintFinding> reported = new HashSet<>();
    private long reportedVersion = Long.MIN_VALUE;
    private volatile CompiledRules current;

    /**
     * Starts with rules that let everything pass, without extensions, for a store that is always asked itself.
     *
     * @param host the host's defaults, which stand before those of the rule set
     * @param listener hears of each swap
     */
    public RulesCache(StorePolicy host, RateLimitListener listener) {
        this(StoreDefaults.of(host), listener, BucketFinder.NONE, Extensions.none());
    }

    /**
     * Starts with rules that let everything pass.
     *
     * @param defaults what holds for rules that say nothing of the store
     * @param listener hears of each swap
     * @param buckets those of this host that may be asked without the store
     * @param extensions what the application adds
     */
    public RulesCache(StoreDefaults defaults, RateLimitListener listener, BucketFinder buckets, Extensions extensions) {
        this.buckets = buckets;
        this.defaults = defaults;
        this.listener = listener;
        this.extensions = extensions;
        this.lint = new RulesLint(extensions::vouchFor);
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
     * Puts other rules in force, for all decisions that begin from now on. What is likely a mistake in them is logged,
     * once for each version of the rules, and refuses nothing.
     *
     * @param rules the rules
     * @throws IllegalArgumentException if a limit is beyond exact arithmetic; the rules in force stay
     */
    public synchronized void replace(RuleSet rules) {
        current = compile(rules, declaredBeside(rules));
        if (reportedVersion != rules.version()) {
            reportedVersion = rules.version();
            reported.clear();
        }
        report(lint());
        new ResolverCheck(rules, extensions)
                .warnings()
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
        if (isReplaced(rules, rule)) {
            // An application may declare many rules, one after the other: the whole lint would be run for each.
            report(lint.checkNames(rules, List.of(rule)));
        }
    }

    /**
     * What is likely a mistake in the rules in force. Worked out anew, which takes its time with thousands of rules.
     *
     * @return the findings, the first 1,000 at most; what was logged is among them
     */
    public synchronized List<LintFinding> lint() {
        RuleSet rules = current.ruleSet();
        return lint.check(rules, declaredBeside(rules), replacedBy(rules));
    }

    /**
     * Makes the limits of a rule ready to be charged that is part of no rule set.
     *
     * @param rule the rule; its own limits count, without its conditions and overrides
     * @param service whose rules these are
     * @param version orders the rules that a bucket is written under
     * @return the limits; empty where the rule has none
     * @throws IllegalArgumentException if a limit is beyond exact arithmetic, or does not go with the rule
     */
    public Optional<LimitedRule> limited(Rule rule, String service, long version) {
        return CompiledRule.limited(rule, service, version, defaults.with(StorePolicy.UNSET));
    }

    private CompiledRules compile(RuleSet rules, List<Rule> beside) {
        return new CompiledRules(rules, beside, defaults, buckets, extensions);
    }

    private List<Rule> declaredBeside(RuleSet rules) {
        return declared.values().stream()
                .filter(rule -> !isReplaced(rules, rule))
                .toList();
    }

    private List<Rule> replacedBy(RuleSet rules) {
        return declared.values().stream()
                .filter(rule -> isReplaced(rules, rule))
                .toList();
    }

    /** Buckets are named after rules, so the name alone replaces; where the rule means something else, the lint tells. */
    private static boolean isReplaced(RuleSet rules, Rule declared) {
        return rules.rules().stream().anyMatch(filed -> replaces(filed, declared));
    }

    private static boolean replaces(Rule filed, Rule declared) {
        return filed.name().equals(declared.name())
                || filed.match().operations().stream().anyMatch(declared.match().operations()::contains);
    }

    /** Tells of what was not told yet since these rules came. */
    private void report(List<LintFinding> findings) {
        RuleSet rules = current.ruleSet();
        findings.stream()
                .filter(reported::add)
                .forEach(finding -> LOG.warn("Rules of {}: {}", rules.service(), finding));
    }
}
