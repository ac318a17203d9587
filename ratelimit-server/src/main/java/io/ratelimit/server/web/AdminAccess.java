package io.ratelimit.server.web;

import io.ratelimit.server.access.Grant;
import io.ratelimit.server.access.NewToken;
import io.ratelimit.server.access.Role;
import io.ratelimit.server.access.Tokens;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The admin's token that a start gives out: the first of all, or another where the others are lost. */
final class AdminAccess {

    private static final Logger LOG = LoggerFactory.getLogger(AdminAccess.class);

    private final Tokens tokens;
    private final ServerSettings settings;

    AdminAccess(Tokens tokens, ServerSettings settings) {
        this.tokens = tokens;
        this.settings = settings;
    }

    /**
     * Gives it out.
     *
     * @throws IllegalArgumentException if the secret chosen for the first token is none
     */
    Optional<NewToken> atStart() {
        Optional<NewToken> first = tokens.bootstrap(settings.firstToken());
        if (first.isPresent()) {
            return first;
        }
        String chosen = settings.firstToken();
        if (chosen != null && tokens.find(chosen).isEmpty()) {
            LOG.warn("RATELIMIT_ADMIN_TOKEN opens nothing: this database has other tokens, and it counts at the first"
                    + " start alone. --new-admin-token gives out another admin's token");
        }
        return settings.newAdminToken()
                ? Optional.of(tokens.create("recovery", Grant.ofAll(Role.ADMIN), null, "a start of the service"))
                : Optional.empty();
    }
}
