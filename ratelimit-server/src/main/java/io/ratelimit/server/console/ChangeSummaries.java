package io.ratelimit.server.console;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.ratelimit.rules.RuleSet;
import io.ratelimit.server.document.RulesChange;
import io.ratelimit.server.publish.KnownRules;
import io.ratelimit.server.rules.RulesVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What versions have changed, in a few words: worked out once, for both never change. Thread-safe. */
final class ChangeSummaries {

    private static final int MOST_KEPT = 10_000;
    private static final int MOST_NAMES = 5;

    private final KnownRules known;
    private final Cache<String, String> byHashes =
            CacheBuilder.newBuilder().maximumSize(MOST_KEPT).build();

    ChangeSummaries(KnownRules known) {
        this.known = known;
    }

    /** What is known without reading the rules. */
    Optional<String> ifKnown(RulesVersion before, RulesVersion after) {
        return Optional.ofNullable(byHashes.getIfPresent(key(before, after)));
    }

    /** Such as {@code Added: exports. Changed: everyone, login.} */
    String between(RulesVersion before, RulesVersion after) {
        return ifKnown(before, after).orElseGet(() -> {
            Optional<RuleSet> old = known.of(before);
            Optional<RuleSet> now = known.of(after);
            String summary = old.isEmpty() || now.isEmpty()
                    ? "Cannot be told: one of the texts is not valid any more."
                    : words(RulesChange.between(old.get(), now.get()));
            byHashes.put(key(before, after), summary);
            return summary;
        });
    }

    private static String key(RulesVersion before, RulesVersion after) {
        return before.hash() + after.hash();
    }

    private static String words(RulesChange change) {
        List<String> words = new ArrayList<>();
        add(words, "Added", change.added());
        add(words, "Removed", change.removed());
        add(
                words,
                "Renamed",
                change.renamed().stream().map(RulesChange.Renaming::toString).toList());
        add(words, "Changed", change.changed());
        add(words, "Settings", change.settings());
        return words.isEmpty() ? "The same rules, written another way." : String.join(" ", words);
    }

    private static void add(List<String> words, String what, List<String> names) {
        int more = names.size() - MOST_NAMES;
        if (!names.isEmpty()) {
            words.add(what + ": " + String.join(", ", names.subList(0, Math.min(names.size(), MOST_NAMES)))
                    + (more > 0 ? " and " + more + " more." : "."));
        }
    }
}
