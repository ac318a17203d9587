package io.ratelimit.core.rules;

import java.util.Map;
import java.util.Set;

/**
 * The words that a field takes.
 *
 * @param meanings what each available word stands for, in the order in which messages list them
 * @param notYet words of the rules language that this version does not know how to follow
 */
record Words<T>(Map<String, T> meanings, Set<String> notYet) {

    /** The available words as messages list them. */
    String choice() {
        return String.join(", ", meanings.keySet());
    }
}
