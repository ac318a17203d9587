package io.ratelimit.rules;

import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Limits for the requests that match.
 *
 * @param name the rule's name, unique in its set: letters, digits, {@code .}, {@code _} and {@code -}
 * @param match which requests the rule applies to
 * @param key what shares a bucket
 * @param limits the limits, which must all hold; empty means unlimited, so that only the overrides limit
 * @param overrides exceptions, of which the first that fits applies
 * @param charging when a request is charged
 * @param onExceeded what happens to a refused request
 * @param store how the shared store is used
 */
public record Rule(
        String name,
        Condition match,
        Key key,
        List<Limit> limits,
        List<LimitOverride> overrides,
        Charging charging,
        OnExceeded onExceeded,
        StorePolicy store) {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]+");

    /**
     * Copies the lists and checks the name.
     *
     * @throws IllegalArgumentException if the name holds another character, or none
     */
    public Rule {
        Objects.requireNonNull(match, "match");
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(charging, "charging");
        Objects.requireNonNull(onExceeded, "onExceeded");
        Objects.requireNonNull(store, "store");
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "a rule's name is made of letters, digits, '.', '_' and '-', not '" + name + "'");
        }
        limits = List.copyOf(limits);
        overrides = List.copyOf(overrides);
    }

    /**
     * A rule that charges every request that passes.
     *
     * @param name the rule's name
     * @param match which requests the rule applies to
     * @param key what shares a bucket
     * @param limits the limits; empty means unlimited
     * @param overrides exceptions, of which the first that fits applies
     * @param onExceeded what happens to a refused request
     * @param store how the shared store is used
     * @throws IllegalArgumentException if the name holds another character, or none
     */
    public Rule(
            String name,
            Condition match,
            Key key,
            List<Limit> limits,
            List<LimitOverride> overrides,
            OnExceeded onExceeded,
            StorePolicy store) {
        this(name, match, key, limits, overrides, Charging.ON_REQUEST, onExceeded, store);
    }
}
