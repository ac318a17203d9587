package io.ratelimit.core.rules;

import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the limits of a rule or of an override: one or a list, each a rate or a mapping. */
final class LimitsReader {

    static final String EXAMPLES = "20/s, 20/s burst 40, 5 per 15m, 0 to refuse always, or the word unlimited";

    private static final String UNLIMITED = "unlimited";
    private static final List<String> FIELDS = List.of("tokens", "per", "burst", "algorithm", "refill", "align");
    private static final Set<String> FIELDS_NOT_YET =
            Set.of("zone", "precision", "minInterval", "chargeRefused", "penalty");
    private static final Words<Algorithm> ALGORITHMS = new Words<>(
            algorithms(),
            Set.of(
                    "leaky-bucket",
                    "gcra",
                    "fixed-window",
                    "sliding-window-log",
                    "sliding-window-counter",
                    "concurrency",
                    "warm-up"));
    private static final Words<Boolean> REFILLS = new Words<>(Map.of("greedy", true), Set.of("interval"));
    private static final Words<Boolean> ALIGNMENTS = new Words<>(Map.of("client", true), Set.of("clock"));

    private final LimitGrammar grammar = new LimitGrammar();

    /** Reads the limits; none stands for the word {@code unlimited}. */
    List<Limit> read(Cursor cursor) {
        List<Cursor> items = cursor.oneOrMore(EXAMPLES);
        if (items.size() == 1 && isUnlimited(items.get(0).node())) {
            return List.of();
        }
        LimitsOfRule limits = new LimitsOfRule(items.size());
        for (Cursor item : items) {
            limit(item)
                    .flatMap(limit -> limits.add(limit, item.path() + " in line " + item.line()))
                    .ifPresent(item::problem);
        }
        return limits.limits();
    }

    private Optional<Limit> limit(Cursor cursor) {
        if (cursor.node() instanceof Node.Mapping) {
            return object(cursor);
        }
        return cursor.anyScalar(EXAMPLES).flatMap(text -> cursor.attempt(() -> grammar.parse(text)));
    }

    private Optional<Limit> object(Cursor cursor) {
        Optional<Cursor> algorithm = cursor.peek("algorithm");
        if (algorithm.isPresent() && namesLaterAlgorithm(algorithm.get())) {
            // Its other fields would only be judged by the wrong algorithm.
            algorithm.get().word(ALGORITHMS);
            return Optional.empty();
        }
        return Fields.open(cursor, FIELDS, FIELDS_NOT_YET).flatMap(fields -> object(cursor, fields));
    }

    private Optional<Limit> object(Cursor cursor, Fields fields) {
        fields.get("refill").ifPresent(refill -> refill.word(REFILLS));
        fields.get("align").ifPresent(align -> align.word(ALIGNMENTS));
        Optional<Algorithm> algorithm = fields.has("algorithm")
                ? fields.get("algorithm").flatMap(word -> word.word(ALGORITHMS))
                : Optional.of(Algorithm.TOKEN_BUCKET);
        OptionalLong tokens = number(fields.required("tokens", "a whole number of tokens, such as tokens: 20"), 0);
        Optional<Duration> period = fields.required("per", "a period, such as per: 1m")
                .flatMap(per -> per.parsed("a period such as 1m", grammar::period));
        OptionalLong burst = number(fields.get("burst"), 1);
        boolean burstIsWrong = fields.has("burst") && burst.isEmpty();
        if (algorithm.isEmpty() || tokens.isEmpty() || period.isEmpty() || burstIsWrong) {
            return Optional.empty();
        }
        @Nullable Long capacity = burst.isPresent() ? burst.getAsLong() : null;
        return cursor.attempt(() -> LimitGrammar.limit(tokens.getAsLong(), period.get(), capacity, algorithm.get()));
    }

    private static OptionalLong number(Optional<Cursor> field, long least) {
        return field.map(cursor -> cursor.wholeNumber(least, Limit.MOST_TOKENS)).orElse(OptionalLong.empty());
    }

    private static boolean namesLaterAlgorithm(Cursor algorithm) {
        return algorithm.node() instanceof Node.Scalar scalar
                && ALGORITHMS.notYet().contains(scalar.text());
    }

    private static boolean isUnlimited(Node node) {
        return node instanceof Node.Scalar scalar && scalar.text().equals(UNLIMITED);
    }

    private static Map<String, Algorithm> algorithms() {
        Map<String, Algorithm> words = new LinkedHashMap<>();
        Arrays.stream(Algorithm.values())
                .filter(algorithm -> algorithm == Algorithm.TOKEN_BUCKET)
                .forEach(algorithm -> words.put(algorithm.word(), algorithm));
        return words;
    }
}
