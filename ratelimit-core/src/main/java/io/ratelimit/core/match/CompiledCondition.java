package io.ratelimit.core.match;

import io.ratelimit.RequestContext;
import io.ratelimit.rules.AddressRange;
import io.ratelimit.rules.Condition;
import java.net.InetAddress;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The criteria of a condition besides its path, made ready to be asked of many requests. */
final class CompiledCondition {

    private final Condition condition;
    private final Set<String> methods;
    private final String place;
    private final UnreadableRequests unreadable;

    /**
     * Compiles a condition.
     *
     * @param place where it stands in the rules, for messages
     * @param unreadable hears of requests that the condition cannot be asked of
     */
    CompiledCondition(Condition condition, String place, UnreadableRequests unreadable) {
        this.condition = condition;
        this.methods = condition.methods().stream().map(CountedMethod::of).collect(Collectors.toUnmodifiableSet());
        this.place = place;
        this.unreadable = unreadable;
    }

    /**
     * Whether all criteria hold, for a caller that has looked at the path. One that the request throws at does not: the
     * rest of the rules must not fall with it.
     */
    boolean holdsBesidesPath(RequestContext request) {
        try {
            return methodFits(request)
                    && operationFits(request)
                    && userFits(request)
                    && addressFits(request)
                    && attributesFit(request);
        } catch (Throwable e) {
            unreadable.report(place, "it does not hold", e);
            return false;
        }
    }

    boolean methodFits(RequestContext request) {
        return methods.isEmpty() || methods.contains(CountedMethod.of(request.method()));
    }

    boolean operationFits(RequestContext request) {
        if (condition.operations().isEmpty()) {
            return true;
        }
        String operation = request.operation();
        return operation != null && condition.operations().contains(operation);
    }

    boolean userFits(RequestContext request) {
        if (condition.users().isEmpty()) {
            return true;
        }
        String user = request.user();
        return user != null && condition.users().contains(user);
    }

    boolean addressFits(RequestContext request) {
        if (condition.addresses().isEmpty()) {
            return true;
        }
        // Rules that name addresses are asked of requests that know their client's.
        InetAddress address = ((MatchedRequest) request).clientAddress();
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

    private boolean attributesFit(RequestContext request) {
        for (Map.Entry<String, Set<String>> wanted : condition.attributes().entrySet()) {
            if (!attributeFits(request, wanted.getKey(), wanted.getValue())) {
                return false;
            }
        }
        return true;
    }

    static boolean attributeFits(RequestContext request, String name, Set<String> wanted) {
        Object value = request.attribute(name);
        return value != null && wanted.contains(value.toString());
    }
}
