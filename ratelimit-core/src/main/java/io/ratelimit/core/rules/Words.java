package io.ratelimit.core.rules;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The words that a field takes.
 *
 * @param meanings what each available word stands for, in the order in which messages list them
 * @param notYet words of the rules language that this version does not know how to follow
 */
record Words<T>(Map<String, T> meanings, Set<String> notYet) {

    /** Two words in the order in which messages list them. */
    static <T> Map<String, T> ordered(String first, T meaning, String second, T other) {
        Map<String, T> words = new LinkedHashMap<>();
        words.put(first, meaning);
        words.put(second, other);
        return words;
    }

    /** The available words as messages list them. */
    String choice() {
        return String.join(", ", meanings.keySet());
    }
}
