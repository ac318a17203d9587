package io.ratelimit.core.rules;

import io.ratelimit.rules.OnFailure;
import io.ratelimit.rules.Sharing;
import io.ratelimit.rules.StorePolicy;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads how a rule, or a rule set, uses the shared store. */
final class StorePolicyReader {

    static final List<String> FIELDS = List.of("sharing", "onFailure", "storeTimeout");

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofSeconds(10);
    private static final Words<Sharing> SHARINGS = new Words<>(sharings(), Set.of("leased", "eventual"));
    private static final Words<OnFailure> FAILURES = new Words<>(failures(), Set.of());

    private final DurationGrammar durations = new DurationGrammar();

    StorePolicy read(Fields fields) {
        return new StorePolicy(
                fields.get("sharing").flatMap(field -> field.word(SHARINGS)).orElse(null),
                fields.get("onFailure").flatMap(field -> field.word(FAILURES)).orElse(null),
                fields.get("storeTimeout").flatMap(this::timeout).orElse(null));
    }

    private Optional<Duration> timeout(Cursor cursor) {
        return cursor.anyScalar("a duration such as 20ms").flatMap(text -> cursor.attempt(() -> timeout(text)));
    }

    private Duration timeout(String text) {
        Duration timeout = durations.parse(text);
        if (timeout.compareTo(SHORTEST) < 0 || timeout.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    Printable.quoted(text) + " is out of range; give a duration between 1ms and 10s");
        }
        return timeout;
    }

    private static Map<String, Sharing> sharings() {
        Map<String, Sharing> words = new LinkedHashMap<>();
        words.put("exact", Sharing.EXACT);
        words.put("host", Sharing.HOST);
        return words;
    }

    private static Map<String, OnFailure> failures() {
        Map<String, OnFailure> words = new LinkedHashMap<>();
        words.put("local", OnFailure.LOCAL);
        words.put("open", OnFailure.OPEN);
        words.put("closed", OnFailure.CLOSED);
        return words;
    }
}
