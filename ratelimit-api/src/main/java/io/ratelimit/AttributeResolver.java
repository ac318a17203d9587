package io.ratelimit;

import org.jspecify.annotations.Nullable;

/**
 * Finds attributes that requests do not carry themselves, such as the client's tier by the user's name. Asked wherever
 * rules read an attribute: conditions, overrides and {@code attribute:} keys. Found by {@link java.util.ServiceLoader},
 * which needs a public constructor without parameters, or handed to the engine's builder.
 *
 * <p>Called on the deciding thread, so an implementation must be thread-safe and quick: it looks into a cache of the
 * application, say, and calls no other service.
 */
@FunctionalInterface
public interface AttributeResolver {

    /**
     * Finds an attribute. Asked only for names that the rules name and that the request has no attribute of, at most
     * once each time a request is decided. Of several resolvers the first that has an answer counts.
     *
     * @param name the attribute's name, as the rules file spells it
     * @param request the request, with its own attributes only
     * @return the attribute, whose {@code toString()} is what rules compare; null where this resolver knows of none.
     *     What is thrown counts as null and is reported once for each resolver
     */
    @Nullable
    Object resolve(String name, RequestContext request);
}
