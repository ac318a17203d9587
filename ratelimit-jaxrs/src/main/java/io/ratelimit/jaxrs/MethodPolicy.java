package io.ratelimit.jaxrs;

import java.util.List;

/**
 * What annotations say of a resource method.
 *
 * @param exempt whether the method is free of limits; it has no operations then
 * @param operations the method's operations, no two of the same name
 */
record MethodPolicy(boolean exempt, List<Operation> operations) {

    static final MethodPolicy EXEMPT = new MethodPolicy(true, List.of());

    MethodPolicy {
        operations = List.copyOf(operations);
    }
}
