package io.ratelimit.server.console;

import io.ratelimit.server.access.AccessToken;
import io.ratelimit.server.access.Role;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tokens that were given out, and a form to give out another.
 *
 * @param shell what stands around the page
 * @param tokens all tokens
 * @param now tells which are valid
 * @param form what was typed
 * @param error what is wrong with it, or null
 * @param revoked the token that was just revoked, or null
 */
record TokensPage(
        Shell shell,
        List<AccessToken> tokens,
        Instant now,
        TokenForm form,
        @Nullable String error,
        @Nullable AccessToken revoked)
        implements Page {

    @Override
    public String template() {
        return "tokens.jte";
    }

    List<AccessToken> valid() {
        return tokens.stream().filter(token -> token.isValid(now)).toList();
    }

    List<AccessToken> past() {
        return tokens.stream().filter(token -> !token.isValid(now)).toList();
    }

    List<Role> roles() {
        return List.of(Role.values());
    }

    /** What a role is for, in one sentence. */
    static String says(Role role) {
        return switch (role) {
            case HOST ->
                "For programs: retrieves the rules of its services and reports what it decided. Cannot sign in here.";
            case VIEWER ->
                "Sees rules, history and traffic of its services, tries requests and drafts out. Changes nothing.";
            case EDITOR -> "Sees all that a viewer sees, and publishes rules of its services.";
            case ADMIN -> "Does everything, for all services: gives out tokens, too, and sees who did what.";
        };
    }

    /** Which services a token is for. */
    static String servicesOf(AccessToken token) {
        return token.grant().allServices()
                ? "all"
                : String.join(", ", token.grant().serviceNames());
    }
}
