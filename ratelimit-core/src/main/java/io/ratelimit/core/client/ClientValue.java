package io.ratelimit.core.client;

import io.ratelimit.RequestContext;
import org.jspecify.annotations.Nullable;

/** Reads from a request the value that tells a client apart. Thread-safe. */
@FunctionalInterface
interface ClientValue {

    /**
     * Reads the value.
     *
     * @param context the request
     * @return the value; null, empty or blank where the request does not carry it
     */
    @Nullable
    String read(RequestContext context);
}
