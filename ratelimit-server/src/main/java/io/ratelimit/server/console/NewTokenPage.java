package io.ratelimit.server.console;

import io.ratelimit.server.access.NewToken;
import io.ratelimit.server.rules.ServiceName;
import java.util.List;

/**
 * A token that was just given out: the one page that shows its secret.
 *
 * @param shell what stands around the page
 * @param created the token
 * @param unknown the services among its that are not there yet
 */
record NewTokenPage(Shell shell, NewToken created, List<ServiceName> unknown) implements Page {

    @Override
    public String template() {
        return "new-token.jte";
    }
}
