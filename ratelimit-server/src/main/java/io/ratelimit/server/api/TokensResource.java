package io.ratelimit.server.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.ratelimit.server.access.AccessToken;
import io.ratelimit.server.access.Caller;
import io.ratelimit.server.access.DeniedException;
import io.ratelimit.server.access.Grant;
import io.ratelimit.server.access.NewToken;
import io.ratelimit.server.access.Permission;
import io.ratelimit.server.access.Role;
import io.ratelimit.server.access.Tokens;
import io.ratelimit.server.rules.RuleSets;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Giving tokens out and taking them back, which admins do. */
@Path("v1/tokens")
@Produces(MediaType.APPLICATION_JSON)
public final class TokensResource {

    private final Tokens tokens;
    private final RuleSets ruleSets;

    /**
     * Makes the resource.
     *
     * @param tokens the tokens
     * @param ruleSets tells which services there are
     */
    public TokensResource(Tokens tokens, RuleSets ruleSets) {
        this.tokens = tokens;
        this.ruleSets = ruleSets;
    }

    /** All tokens, without their secrets. */
    @GET
    public List<TokenView> list(@Context SecurityContext security) throws DeniedException {
        BearerAuthentication.caller(security).requireEverywhere(Permission.ADMINISTER);
        return tokens.list().stream()
                .map(token -> TokenView.of(token, null, List.of()))
                .toList();
    }

    /** Gives out a token; the answer alone has its secret. */
    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    public Response create(@Nullable WantedToken wanted, @Context SecurityContext security) throws DeniedException {
        Caller caller = BearerAuthentication.caller(security);
        caller.requireEverywhere(Permission.ADMINISTER);
        if (wanted == null) {
            throw new IllegalArgumentException("the body is empty: send name, role and services");
        }
        NewToken created = tokens.create(wanted.nameGiven(), wanted.grant(), wanted.expires(), caller.getName());
        // A token may well be there before its service is.
        List<String> notes = ruleSets.withoutRules(created.token().grant().services()).stream()
                .map(service -> "there is no service '" + service + "' yet: look at how its name is spelt")
                .toList();
        return Response.status(201)
                .entity(TokenView.of(created.token(), created.secret(), notes))
                .build();
    }

    /** Revokes a token. */
    @DELETE
    @Path("{id}")
    public Response revoke(@PathParam("id") long id, @Context SecurityContext security) throws DeniedException {
        Caller caller = BearerAuthentication.caller(security);
        caller.requireEverywhere(Permission.ADMINISTER);
        try {
            return tokens.revoke(id, caller.getName())
                    ? Response.noContent().build()
                    : Problem.of(404, "no-token", "there is no token " + id + " that is in use")
                            .toResponse();
        } catch (IllegalStateException e) {
            return Problem.of(409, "last-admin", String.valueOf(e.getMessage())).toResponse();
        }
    }

    /**
     * What a token is to be.
     *
     * @param name who bears it
     * @param role the role's word
     * @param services names, or {@code *} alone
     * @param expires when it ends, or null
     */
    public record WantedToken(
            @Nullable String name,
            @Nullable String role,
            @Nullable List<String> services,
            @Nullable Instant expires) {

        String nameGiven() {
            return name == null ? "" : name;
        }

        Grant grant() {
            Role wanted = Role.of(role == null ? "" : role);
            List<String> names = services == null ? List.of() : services;
            if (names.stream().anyMatch(Objects::isNull)) {
                throw new IllegalArgumentException("services holds a null: name services, or '*' for all");
            }
            return Grant.of(wanted, names);
        }
    }

    /**
     * What is told of a token.
     *
     * @param id its number
     * @param name who bears it
     * @param role the role's word
     * @param services names, or {@code *} alone
     * @param created when it was given out
     * @param createdBy by whom
     * @param expires when it ends, or null for never
     * @param revoked when it was revoked, or null
     * @param secret what its bearer sends: told when it is given out, and never again
     * @param notes what may be a mistake, told when it is given out
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record TokenView(
            long id,
            String name,
            String role,
            List<String> services,
            Instant created,
            String createdBy,
            @Nullable Instant expires,
            @Nullable Instant revoked,
            @Nullable String secret,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> notes) {

        static TokenView of(AccessToken token, @Nullable String secret, List<String> notes) {
            Grant grant = token.grant();
            return new TokenView(
                    token.id(),
                    token.name(),
                    grant.role().word(),
                    grant.serviceNames(),
                    token.created(),
                    token.createdBy(),
                    token.expires(),
                    token.revoked(),
                    secret,
                    notes);
        }

        /** Without the secret. */
        @Override
        public String toString() {
            return "TokenView[" + id + ", " + name + "]";
        }
    }
}
