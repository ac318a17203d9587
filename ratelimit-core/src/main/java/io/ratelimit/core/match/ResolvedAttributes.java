package io.ratelimit.core.match;

import io.ratelimit.AttributeResolver;
import io.ratelimit.RequestContext;
import io.ratelimit.core.extension.ExtensionFaults;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the attributes that requests do not carry themselves. Thread-safe. */
final class ResolvedAttributes {

    private final List<AttributeResolver> resolvers;
    private final ExtensionFaults faults;

    /**
     * Asks several resolvers.
     *
     * @param resolvers the resolvers, in order
     * @param faults hears of those that throw
     */
    ResolvedAttributes(List<AttributeResolver> resolvers, ExtensionFaults faults) {
        this.resolvers = resolvers;
        this.faults = faults;
    }

    /** Whether there is nobody to ask. */
    boolean areNone() {
        return resolvers.isEmpty();
    }

    @Nullable
    Object resolve(String name, RequestContext request) {
        for (AttributeResolver resolver : resolvers) {
            Object value = resolve(resolver, name, request);
            if (value != null) {
                return value;
            }
        }
        return null;
    }

    private @Nullable Object resolve(AttributeResolver resolver, String name, RequestContext request) {
        try {
            return resolver.resolve(name, request);
        } catch (Throwable e) {
            faults.thrown(
                    "The resolver of attributes " + resolver.getClass().getName(),
                    "an attribute that it is asked for is missing",
                    e);
            return null;
        }
    }
}
