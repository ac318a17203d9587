package io.ratelimit;

import org.jspecify.annotations.Nullable;

/** Builds the key that tells the client of a request apart. Safe for use by any thread. */
@FunctionalInterface
public interface ClientIdentifierBuilder {

    /**
     * Builds the identifier of the client that sent a request.
     *
     * @param context the request
     * @return the identifier, or null where the request does not carry what this builder looks for; empty and blank
     *     values count as missing
     */
    @Nullable
    ClientIdentifier build(RequestContext context);
}
