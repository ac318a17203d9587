package io.ratelimit.server.console;

import org.jspecify.annotations.Nullable;

/**
 * Where a token is shown.
 *
 * @param shell what stands around the page
 * @param next the path to go to then
 * @param error what was wrong with the last try, or null
 */
record SignInPage(Shell shell, String next, @Nullable String error) implements Page {

    @Override
    public String template() {
        return "sign-in.jte";
    }
}
