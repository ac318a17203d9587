package io.ratelimit.core.rules;

import io.ratelimit.rules.Identity;
import io.ratelimit.rules.Key;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads what shares a bucket. */
final class KeyReader {

    private static final String IDENTITY = "an identity such as user, ip or \"header:X-Api-Key\"";

    private final KeyGrammar grammar = new KeyGrammar();

    /** Reads a rule's key: one identity, a composite, the first present of several, or the service. */
    Key key(Cursor cursor) {
        if (cursor.node() instanceof Node.Mapping) {
            return firstPresent(cursor);
        }
        List<String> texts = new ArrayList<>();
        List<Cursor> items = cursor.oneOrMore(IDENTITY);
        for (Cursor item : items) {
            item.parsed(IDENTITY, text -> checked(text, items.size())).ifPresent(texts::add);
        }
        if (texts.size() < items.size()) {
            return new Key.Client();
        }
        return cursor.attempt(() -> grammar.key(texts)).orElseGet(Key.Client::new);
    }

    /** Reads identities in their order, each once. */
    List<Identity> identities(Cursor cursor) {
        List<Identity> identities = new ArrayList<>();
        Set<Identity> seen = new HashSet<>();
        for (Cursor item : cursor.oneOrMore(IDENTITY)) {
            item.parsed(IDENTITY, grammar::identity).ifPresent(identity -> {
                if (seen.add(identity)) {
                    identities.add(identity);
                } else {
                    item.problem(Printable.quoted(identity.toString()) + " stands twice; name it once");
                }
            });
        }
        return identities;
    }

    private Key firstPresent(Cursor cursor) {
        return Fields.open(cursor, List.of("any"), Set.of())
                .flatMap(fields -> fields.required("any", "a list of identities, such as { any: [user, ip] }"))
                .map(this::identities)
                .filter(alternatives -> !alternatives.isEmpty())
                .<Key>map(Key.FirstPresent::new)
                .orElseGet(Key.Client::new);
    }

    /** Refuses a wrong identity at its own place instead of at the whole key's. */
    private String checked(String text, int of) {
        if (of > 1 || !text.equals(KeyGrammar.SERVICE)) {
            grammar.identity(text);
        }
        return text;
    }
}
