package io.ratelimit.core.rules;

import io.ratelimit.rules.Limit;
import java.util.List;
import java.util.Optional;

/** Reads the limits of a rule or of an override: one or a list, each a rate or a mapping. */
final class LimitsReader {

    static final String EXAMPLES = "20/s, 20/s burst 40, 5 per 15m, 0 to refuse always, or the word unlimited";

    private static final String UNLIMITED = "unlimited";

    private final LimitGrammar grammar = new LimitGrammar();
    private final LimitReader reader = new LimitReader(grammar);

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
            return reader.read(cursor);
        }
        return cursor.anyScalar(EXAMPLES).flatMap(text -> cursor.attempt(() -> grammar.parse(text)));
    }

    private static boolean isUnlimited(Node node) {
        return node instanceof Node.Scalar scalar && scalar.text().equals(UNLIMITED);
    }
}
