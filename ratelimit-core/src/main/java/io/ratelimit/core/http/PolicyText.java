package io.ratelimit.core.http;

import io.ratelimit.rules.Limit;

/**
 * What fields say of a limit for as long as it is in force, written once.
 *
 * @param limit the limit
 * @param item its item in {@code RateLimit-Policy}
 * @param state how its item in {@code RateLimit} begins, up to the tokens left
 */
record PolicyText(Limit limit, String item, String state) {

    static PolicyText of(Limit limit, String policy) {
        String name = '"' + policy + '"';
        String window = Waits.isTimed(limit) ? ";w=" + Waits.toFill(limit) : "";
        return new PolicyText(limit, name + ";q=" + limit.capacity() + window, name + ";r=");
    }
}
