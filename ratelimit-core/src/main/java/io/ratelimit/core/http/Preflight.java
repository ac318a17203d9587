package io.ratelimit.core.http;

import java.util.function.Predicate;

/** Tells the questions apart that browsers ask on their own account before a request to another origin: they are free. */
public final class Preflight {

    private Preflight() {}

    /**
     * Whether a request is a CORS-preflight request as the Fetch standard defines it (section 3.2.2).
     *
     * @param method the request's method as sent
     * @param hasHeader whether the request has a header of a name
     * @return true for {@code OPTIONS} with {@code Origin} and {@code Access-Control-Request-Method}
     */
    public static boolean is(String method, Predicate<String> hasHeader) {
        return method.equals("OPTIONS") && hasHeader.test("Origin") && hasHeader.test("Access-Control-Request-Method");
    }
}
