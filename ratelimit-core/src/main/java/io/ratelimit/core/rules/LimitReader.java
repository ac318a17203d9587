package io.ratelimit.core.rules;

import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.LimitOptions;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads a limit that is written as a mapping, with a field for each of its words. */
final class LimitReader {

    static final List<String> FIELDS = Stream.concat(
                    Stream.of("tokens", "per", "burst", "algorithm"), LimitOptionsReader.FIELDS.stream())
            .toList();

    private static final Words<Algorithm> ALGORITHMS = new Words<>(algorithms(), Set.of());

    private final LimitGrammar grammar;
    private final LimitOptionsReader options = new LimitOptionsReader();

    LimitReader(LimitGrammar grammar) {
        this.grammar = grammar;
    }

    Optional<Limit> read(Cursor cursor) {
        return Fields.open(cursor, FIELDS, Set.of()).flatMap(fields -> read(cursor, fields));
    }

    private Optional<Limit> read(Cursor cursor, Fields fields) {
        int problemsBefore = cursor.problems().count();
        Optional<Algorithm> word = algorithm(fields);
        if (word.isEmpty()) {
            // The other fields would only be judged by the wrong algorithm.
            return Optional.empty();
        }
        Algorithm algorithm = word.get();
        OptionalLong tokens = number(fields.required("tokens", "a whole number of tokens, such as tokens: 20"), 0);
        Duration period = period(fields, algorithm);
        OptionalLong burst = number(fields.get("burst"), 1);
        LimitOptions read = options.read(fields);
        if (tokens.isEmpty() || cursor.problems().count() > problemsBefore) {
            return Optional.empty();
        }
        @Nullable Long capacity = burst.isPresent() ? burst.getAsLong() : null;
        return cursor.attempt(() -> LimitGrammar.limit(tokens.getAsLong(), period, capacity, algorithm, read));
    }

    private static Optional<Algorithm> algorithm(Fields fields) {
        Optional<Cursor> field = fields.get("algorithm");
        return field.isPresent() ? field.get().word(ALGORITHMS) : Optional.of(Algorithm.TOKEN_BUCKET);
    }

    private Duration period(Fields fields, Algorithm algorithm) {
        if (algorithm == Algorithm.CONCURRENCY) {
            fields.get("per")
                    .ifPresent(per -> per.problem(
                            "concurrency counts requests that are under way and has no period; leave 'per' out"));
            return Duration.ZERO;
        }
        return fields.required("per", "a period, such as per: 1m")
                .flatMap(per ->
                        per.anyScalar("a period such as 1m").flatMap(text -> per.attempt(() -> grammar.period(text))))
                .orElse(Duration.ZERO);
    }

    private static OptionalLong number(Optional<Cursor> field, long least) {
        return field.map(cursor -> cursor.wholeNumber(least, Limit.MOST_TOKENS)).orElse(OptionalLong.empty());
    }

    private static Map<String, Algorithm> algorithms() {
        Map<String, Algorithm> words = new LinkedHashMap<>();
        Arrays.stream(Algorithm.values()).forEach(algorithm -> words.put(algorithm.word(), algorithm));
        return words;
    }
}
