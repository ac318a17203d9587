package io.ratelimit.sample;

import java.security.Principal;

/**
 * Somebody with a login.
 *
 * @param name the login's name
 * @param tier what the account pays for, {@code free} or {@code gold}
 */
record Account(String name, String tier) implements Principal {

    @Override
    public String getName() {
        return name;
    }
}
