package io.ratelimit.server.proxied;

import io.ratelimit.core.http.QueryString;

/**
 * The target of a request, as a client sent it to a proxy.
 *
 * @param path the path that rules are for: decoded, without parameters, empty segments and steps up
 * @param query the query
 */
public record RequestTarget(String path, QueryString query) {

    /**
     * Reads a target.
     *
     * @param raw a path with or without a query, such as {@code /api/orders?limit=3}
     * @return the target; what is malformed is text, because what cannot be read can be limited all the same
     */
    public static RequestTarget of(String raw) {
        int mark = raw.indexOf('?');
        return mark < 0
                ? new RequestTarget(resolved(raw), new QueryString(null))
                : new RequestTarget(resolved(raw.substring(0, mark)), new QueryString(raw.substring(mark + 1)));
    }

    /** Proxies cut off a fragment, which no client should send. */
    private static String resolved(String path) {
        int mark = path.indexOf('#');
        return new SentPath(mark < 0 ? path : path.substring(0, mark)).resolved();
    }
}
