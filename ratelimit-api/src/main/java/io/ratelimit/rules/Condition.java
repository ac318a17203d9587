package io.ratelimit.rules;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which requests something applies to. All criteria must hold; a criterion of several values holds if one of them does;
 * an empty criterion always holds.
 *
 * @param paths patterns of the path
 * @param methods methods in upper case; {@code HEAD} counts as {@code GET}
 * @param operations names of operations
 * @param users names of authenticated users
 * @param addresses ranges of client addresses
 * @param attributes request attributes by name, with the values, as text, that each may have
 */
public record Condition(
        List<PathPattern> paths,
        Set<String> methods,
        Set<String> operations,
        Set<String> users,
        List<AddressRange> addresses,
        Map<String, Set<String>> attributes) {

    /** Holds for every request. */
    public static final Condition ALWAYS = new Condition(List.of(), Set.of(), Set.of(), Set.of(), List.of(), Map.of());

    /** Copies the criteria. */
    public Condition {
        paths = List.copyOf(paths);
        methods = Set.copyOf(methods);
        operations = Set.copyOf(operations);
        users = Set.copyOf(users);
        addresses = List.copyOf(addresses);
        attributes = Map.copyOf(attributes);
    }

    /**
     * A condition that looks at the operation only.
     *
     * @param operation the operation's name
     * @return the condition
     */
    public static Condition operation(String operation) {
        return new Condition(List.of(), Set.of(), Set.of(operation), Set.of(), List.of(), Map.of());
    }

    /**
     * The same condition for one path alone.
     *
     * @param path a pattern of the path
     * @return the condition
     */
    public Condition withPath(PathPattern path) {
        return new Condition(List.of(path), methods, operations, users, addresses, attributes);
    }

    /**
     * Whether the request's operation matters, so that a request whose operation is not known yet cannot be judged.
     *
     * @return true if the condition names operations
     */
    public boolean namesOperation() {
        return !operations.isEmpty();
    }
}
