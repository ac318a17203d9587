package io.ratelimit.server.console;

import io.ratelimit.server.access.NewToken;

/**
 * A token that was just given out: the one page that shows its secret.
 *
 * @param shell what stands around the page
 * @param created the token
 */
record NewTokenPage(Shell shell, NewToken created) implements Page {

    @Override
    public String template() {
        return "new-token.jte";
    }
}
