package io.ratelimit.server.console;

import com.google.common.base.Ascii;
import io.ratelimit.rules.Rule;
import io.ratelimit.rules.RuleSet;
import io.ratelimit.server.document.RulesChange;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a change of rules means, for people.
 *
 * @param rules the first rules that are renamed, changed, added or removed
 * @param left how many more there are
 * @param settings the settings beside the rules that change, by their names in the document
 */
record ChangeInWords(List<Entry> rules, int left, List<String> settings) {

    private static final int MOST = 20;

    /**
     * What happens to one rule.
     *
     * @param kind {@code Renamed}, {@code Changed}, {@code Added} or {@code Removed}
     * @param rule its name; of one that is renamed, both
     * @param details what it says, or what about it changes
     */
    record Entry(String kind, String rule, List<String> details) {

        /** How it is coloured. */
        String look() {
            return kind.equals("Renamed") ? "changed" : Ascii.toLowerCase(kind);
        }
    }

    static ChangeInWords between(RuleSet before, RuleSet after) {
        RulesChange change = RulesChange.between(before, after);
        Map<String, Rule> old = byName(before);
        Map<String, Rule> now = byName(after);
        Stream<Entry> renamed = change.renamed().stream().map(ChangeInWords::renamed);
        Stream<Entry> others = Stream.of(change.changed(), change.added(), change.removed())
                .flatMap(List::stream)
                .map(name -> entry(name, old.get(name), now.get(name)));
        List<Entry> entries = Stream.concat(renamed, others).limit(MOST).toList();
        int all = change.renamed().size()
                + change.changed().size()
                + change.added().size()
                + change.removed().size();
        return new ChangeInWords(entries, all - entries.size(), change.settings());
    }

    /** Whether texts differ in comments, layout or order at most. */
    boolean isNone() {
        return rules.isEmpty() && settings.isEmpty();
    }

    private static Map<String, Rule> byName(RuleSet rules) {
        return rules.rules().stream().collect(Collectors.toMap(Rule::name, Function.identity()));
    }

    private static Entry renamed(RulesChange.Renaming renaming) {
        return new Entry("Renamed", renaming.toString(), List.of("All its counts start anew."));
    }

    private static Entry entry(String name, @Nullable Rule before, @Nullable Rule after) {
        RuleWords words = new RuleWords();
        if (after == null) {
            return new Entry("Removed", name, before == null ? List.of() : said(words.of(before)));
        }
        return before == null
                ? new Entry("Added", name, said(words.of(after)))
                : new Entry("Changed", name, differences(words.of(before), words.of(after)));
    }

    private static List<String> said(RuleInWords rule) {
        return rule.parts().entrySet().stream()
                .map(part -> part.getKey() + ": " + part.getValue())
                .toList();
    }

    private static List<String> differences(RuleInWords before, RuleInWords after) {
        Map<String, String> old = before.parts();
        return after.parts().entrySet().stream()
                .filter(part -> !part.getValue().equals(old.get(part.getKey())))
                .map(part -> part.getKey() + ": " + part.getValue() + " (before: " + old.get(part.getKey()) + ")")
                .toList();
    }
}
