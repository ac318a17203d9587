package io.ratelimit.core.match;

import io.ratelimit.rules.AddressRange;
import io.ratelimit.rules.Condition;
import java.net.InetAddress;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** A condition made ready to be asked of many requests. */
final class CompiledCondition {

    private final Condition condition;
    private final Set<String> methods;
    private final PathTrie<Condition> paths = new PathTrie<>();

    CompiledCondition(Condition condition) {
        this.condition = condition;
        this.methods =
                condition.methods().stream().map(MatchedRequest::countedAs).collect(Collectors.toUnmodifiableSet());
        condition.paths().forEach(path -> paths.add(path, condition));
    }

    boolean holds(MatchedRequest request) {
        return pathFits(request) && holdsBesidesPath(request);
    }

    /** Whether the other criteria hold, for a caller that has found this condition by its path. */
    boolean holdsBesidesPath(MatchedRequest request) {
        return methodFits(request)
                && operationFits(request)
                && userFits(request)
                && addressFits(request)
                && attributesFit(request);
    }

    private boolean pathFits(MatchedRequest request) {
        return condition.paths().isEmpty() || paths.matches(request.segments());
    }

    private boolean methodFits(MatchedRequest request) {
        return methods.isEmpty() || methods.contains(request.method());
    }

    private boolean operationFits(MatchedRequest request) {
        if (condition.operations().isEmpty()) {
            return true;
        }
        String operation = request.context().operation();
        return operation != null && condition.operations().contains(operation);
    }

    private boolean userFits(MatchedRequest request) {
        if (condition.users().isEmpty()) {
            return true;
        }
        String user = request.context().user();
        return user != null && condition.users().contains(user);
    }

    private boolean addressFits(MatchedRequest request) {
        if (condition.addresses().isEmpty()) {
            return true;
        }
        InetAddress address = request.clientAddress();
        if (address == null) {
            return false;
        }
        for (AddressRange range : condition.addresses()) {
            if (range.contains(address)) {
                return true;
            }
        }
        return false;
    }

    private boolean attributesFit(MatchedRequest request) {
        for (Map.Entry<String, Set<String>> wanted : condition.attributes().entrySet()) {
            Object value = request.context().attribute(wanted.getKey());
            if (value == null || !wanted.getValue().contains(value.toString())) {
                return false;
            }
        }
        return true;
    }
}
