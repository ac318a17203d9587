package io.ratelimit.server.console;

import io.ratelimit.server.access.AccessToken;
import io.ratelimit.server.access.DeniedException;
import io.ratelimit.server.access.NewToken;
import io.ratelimit.server.access.Tokens;
import io.ratelimit.server.rules.RuleSets;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Form;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Give tokens out, and take them back, which admins do. */
@Path("tokens")
@Produces(MediaType.TEXT_HTML)
public final class TokensPageResource {

    private static final int UNPROCESSABLE = 422;

    private final Tokens tokens;
    private final RuleSets ruleSets;
    private final Clock clock;
    private final Assets assets;

    /**
     * Makes the resource.
     *
     * @param tokens the tokens
     * @param ruleSets tells which services there are
     * @param clock tells which have ended
     * @param assets where styles and scripts are
     */
    public TokensPageResource(Tokens tokens, RuleSets ruleSets, Clock clock, Assets assets) {
        this.tokens = tokens;
        this.ruleSets = ruleSets;
        this.clock = clock;
        this.assets = assets;
    }

    /** All tokens. */
    @GET
    public Object list(@QueryParam("revoked") @DefaultValue("0") long revoked, @Context ContainerRequestContext request)
            throws DeniedException {
        return page(AdminVisit.of(request, assets), TokenForm.EMPTY, null, revoked);
    }

    /** Gives out a token. The answer alone shows its secret, so that there is no address to come back to. */
    @POST
    public Response create(Form fields, @Context ContainerRequestContext request) throws DeniedException {
        AdminVisit visit = AdminVisit.of(request, assets);
        TokenForm form = TokenForm.of(fields.asMap());
        try {
            NewToken created = tokens.create(
                    form.name(), form.grant(), form.expires(), visit.caller().getName());
            return Response.status(201)
                    .entity(new NewTokenPage(
                            visit.shell(),
                            created,
                            ruleSets.withoutRules(created.token().grant().services())))
                    .build();
        } catch (IllegalArgumentException e) {
            return Response.status(UNPROCESSABLE)
                    .entity(page(visit, form, String.valueOf(e.getMessage()), 0))
                    .build();
        }
    }

    /** Asks whether a token is really to be revoked. */
    @GET
    @Path("{id}/revoke")
    public Object confirm(@PathParam("id") long id, @Context ContainerRequestContext request) throws DeniedException {
        AdminVisit visit = AdminVisit.of(request, assets);
        return question(visit, valid(id), null);
    }

    /** Revokes a token. */
    @POST
    @Path("{id}/revoke")
    public Response revoke(@PathParam("id") long id, @Context ContainerRequestContext request) throws DeniedException {
        AdminVisit visit = AdminVisit.of(request, assets);
        AccessToken token = valid(id);
        try {
            tokens.revoke(id, visit.caller().getName());
            return Response.seeOther(URI.create("/tokens?revoked=" + id)).build();
        } catch (IllegalStateException e) {
            return Response.status(Response.Status.CONFLICT)
                    .entity(question(visit, token, String.valueOf(e.getMessage())))
                    .build();
        }
    }

    private TokensPage page(AdminVisit visit, TokenForm form, @Nullable String error, long revoked) {
        List<AccessToken> all = tokens.list();
        return new TokensPage(
                visit.shell(),
                all,
                clock.instant(),
                form,
                error,
                all.stream()
                        .filter(token -> token.id() == revoked && token.revoked() != null)
                        .findFirst()
                        .orElse(null));
    }

    private static RevokePage question(AdminVisit visit, AccessToken token, @Nullable String error) {
        return new RevokePage(
                visit.shell(), token, token.id() == visit.caller().token().id(), error);
    }

    private AccessToken valid(long id) {
        return tokens.list().stream()
                .filter(token -> token.id() == id && token.revoked() == null)
                .findFirst()
                .orElseThrow(() -> new NotFoundException("there is no token " + id + " that is in use"));
    }
}
