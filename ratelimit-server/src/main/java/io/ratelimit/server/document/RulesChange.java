package io.ratelimit.server.document;

import io.ratelimit.rules.Rule;
import io.ratelimit.rules.RuleSet;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What differs between two sets of rules, whatever their notation, layout and order. Immutable and thread-safe.
 *
 * @param added the names of rules that only the new set has
 * @param removed the names of rules that only the old set has
 * @param renamed the rules that have another name and are otherwise the same, in the order of the new set
 * @param changed the names of rules that both have, but with another meaning
 * @param settings the fields outside of the rules whose meaning differs, such as {@code clients}
 */
public record RulesChange(
        List<String> added, List<String> removed, List<Renaming> renamed, List<String> changed, List<String> settings) {

    private static final Map<String, Function<RuleSet, Object>> SETTINGS = settingsByName();

    /**
     * A rule that has another name.
     *
     * @param from its name in the old set
     * @param to its name in the new set
     */
    public record Renaming(String from, String to) {

        /** Such as {@code everyone to all}. */
        @Override
        public String toString() {
            return from + " to " + to;
        }
    }

    /** Copies the lists. */
    public RulesChange {
        added = List.copyOf(added);
        removed = List.copyOf(removed);
        renamed = List.copyOf(renamed);
        changed = List.copyOf(changed);
        settings = List.copyOf(settings);
    }

    /**
     * Compares two sets.
     *
     * @param before the old rules
     * @param after the new rules
     * @return what differs
     */
    public static RulesChange between(RuleSet before, RuleSet after) {
        Map<String, Rule> old = byName(before);
        Map<String, Rule> now = byName(after);
        List<Rule> removed = old.values().stream()
                .filter(rule -> !now.containsKey(rule.name()))
                .toList();
        List<Rule> added = now.values().stream()
                .filter(rule -> !old.containsKey(rule.name()))
                .toList();
        List<Renaming> renamed = renamings(removed, added);
        return new RulesChange(
                namesWithout(added, renamed, Renaming::to),
                namesWithout(removed, renamed, Renaming::from),
                renamed,
                after.rules().stream()
                        .filter(rule -> old.containsKey(rule.name()) && !rule.equals(old.get(rule.name())))
                        .map(Rule::name)
                        .toList(),
                SETTINGS.entrySet().stream()
                        .filter(setting -> !Objects.equals(
                                setting.getValue().apply(before),
                                setting.getValue().apply(after)))
                        .map(Map.Entry::getKey)
                        .toList());
    }

    /** Of several rules that are otherwise the same, the first goes with the first. */
    private static List<Renaming> renamings(List<Rule> removed, List<Rule> added) {
        Map<Rule, Deque<String>> names = new HashMap<>();
        removed.forEach(rule -> names.computeIfAbsent(nameless(rule), same -> new ArrayDeque<>())
                .add(rule.name()));
        List<Renaming> renamings = new ArrayList<>();
        for (Rule rule : added) {
            Deque<String> before = names.getOrDefault(nameless(rule), new ArrayDeque<>());
            if (!before.isEmpty()) {
                renamings.add(new Renaming(before.remove(), rule.name()));
            }
        }
        return renamings;
    }

    private static Rule nameless(Rule rule) {
        return new Rule(
                "_",
                rule.match(),
                rule.key(),
                rule.limits(),
                rule.overrides(),
                rule.charging(),
                rule.onExceeded(),
                rule.store());
    }

    private static List<String> namesWithout(
            List<Rule> rules, List<Renaming> renamed, Function<Renaming, String> name) {
        Set<String> known = renamed.stream().map(name).collect(Collectors.toSet());
        return rules.stream()
                .map(Rule::name)
                .filter(rule -> !known.contains(rule))
                .toList();
    }

    /**
     * Whether both say the same.
     *
     * @return true where texts differ in comments, layout or order at most
     */
    public boolean isNone() {
        return added.isEmpty() && removed.isEmpty() && renamed.isEmpty() && changed.isEmpty() && settings.isEmpty();
    }

    /** One line, such as {@code added: exports; changed: everyone, login; settings: clients}. */
    @Override
    public String toString() {
        List<String> parts = new ArrayList<>();
        add(parts, "added", added);
        add(parts, "removed", removed);
        add(parts, "renamed", renamed);
        add(parts, "changed", changed);
        add(parts, "settings", settings);
        return parts.isEmpty() ? "the same rules" : String.join("; ", parts);
    }

    private static void add(List<String> parts, String what, List<?> names) {
        if (!names.isEmpty()) {
            parts.add(what + ": " + names.stream().map(Object::toString).collect(Collectors.joining(", ")));
        }
    }

    private static Map<String, Rule> byName(RuleSet rules) {
        return rules.rules().stream()
                .collect(Collectors.toMap(Rule::name, rule -> rule, (first, second) -> first, LinkedHashMap::new));
    }

    private static Map<String, Function<RuleSet, Object>> settingsByName() {
        Map<String, Function<RuleSet, Object>> settings = new LinkedHashMap<>();
        settings.put("service", RuleSet::service);
        settings.put("clients", RuleSet::clients);
        settings.put("trustedProxies", rules -> rules.addresses().trustedProxies());
        settings.put("forwardedHeader", rules -> rules.addresses().header());
        settings.put("ipv6Prefix", rules -> rules.addresses().ipv6Prefix());
        settings.put("exempt", RuleSet::exempt);
        settings.put("costs", RuleSet::costs);
        settings.put("sharing", rules -> String.valueOf(rules.store().sharing()));
        settings.put("onFailure", rules -> String.valueOf(rules.store().onFailure()));
        settings.put("storeTimeout", rules -> String.valueOf(rules.store().storeTimeout()));
        return settings;
    }
}
