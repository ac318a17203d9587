package io.ratelimit.core.rules;

import io.ratelimit.rules.OnFailure;
import io.ratelimit.rules.Sharing;
import io.ratelimit.rules.StorePolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads how a rule, or a rule set, uses the shared store. */
final class StorePolicyReader {

    static final List<String> FIELDS = List.of("sharing", "onFailure", "storeTimeout");

    private static final Words<Sharing> SHARINGS = new Words<>(StorePolicyGrammar.SHARINGS, Set.of());
    private static final Words<OnFailure> FAILURES = new Words<>(StorePolicyGrammar.FAILURES, Set.of());

    private final StorePolicyGrammar grammar = new StorePolicyGrammar();

    StorePolicy read(Fields fields) {
        return new StorePolicy(
                fields.get("sharing").flatMap(field -> field.word(SHARINGS)).orElse(null),
                fields.get("onFailure").flatMap(field -> field.word(FAILURES)).orElse(null),
                fields.get("storeTimeout").flatMap(this::timeout).orElse(null));
    }

    private Optional<Duration> timeout(Cursor cursor) {
        return cursor.anyScalar("a duration such as 20ms").flatMap(text -> cursor.attempt(() -> grammar.timeout(text)));
    }
}
