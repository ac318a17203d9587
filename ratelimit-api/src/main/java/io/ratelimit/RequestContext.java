package io.ratelimit;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the limiter reads of a request. Everything is read lazily and only where a rule asks for it, on the thread that
 * called the limiter; an implementation need not be thread-safe. Nothing here may create a session, read the body or
 * parse parameters that the body may hold.
 */
public interface RequestContext {

    /**
     * The request's method as sent, such as {@code GET}.
     *
     * @return the method, never null
     */
    String method();

    /**
     * The path below the application's context path, decoded and without path parameters, as the container maps it,
     * such as {@code /api/orders}.
     *
     * @return the path, never null; empty segments do not count, and everything else is text: a {@code ;} or a
     *     {@code ..} that is left is part of a segment and has no further meaning
     */
    String path();

    /**
     * The name that the application gave to what the request does.
     *
     * @return the operation, or null where none is known yet
     */
    default @Nullable String operation() {
        return null;
    }

    /**
     * What the request costs by the application's own word, which replaces the costs of the rules file.
     *
     * @return the cost in tokens, at least 0, or {@link #NO_COST} where the application does not say
     */
    default long cost() {
        return NO_COST;
    }

    /**
     * The address of the peer that the request came from, as a literal; no name, and nothing that a header said.
     *
     * @return the address such as {@code 192.0.2.7} or {@code 2001:db8::1}, or null where there is none
     */
    @Nullable
    String peerAddress();

    /**
     * The authenticated user's name.
     *
     * @return the name, or null for an anonymous request
     */
    @Nullable
    String user();

    /**
     * All lines of a header, in order.
     *
     * @param name the header's name, in any case
     * @return the lines, empty where there are none
     */
    List<String> headers(String name);

    /**
     * The value of a cookie.
     *
     * @param name the cookie's name
     * @return the value, or null where the request has no such cookie
     */
    @Nullable
    String cookie(String name);

    /**
     * An attribute that the application attached to the request, such as the client's tier.
     *
     * @param name the attribute's name
     * @return the attribute, or null where there is none
     */
    @Nullable
    Object attribute(String name);

    /**
     * The values of a parameter of the query, in order. Read from the query alone, never from a form in the body: values
     * are decoded as {@code application/x-www-form-urlencoded} in UTF-8, and an escape that is malformed is text. All of
     * the query is read, however long the server lets it be: what is not looked at could not be charged.
     *
     * @param name the parameter's name, decoded
     * @return the values, empty where there are none and where the request is of a kind that has no query
     */
    default List<String> queryParameters(String name) {
        return List.of();
    }

    /** What {@link #cost()} answers where the application does not name a cost. */
    long NO_COST = -1;
}
