package io.ratelimit.server.console;

import io.ratelimit.server.access.AccessToken;
import io.ratelimit.server.access.NewSession;
import io.ratelimit.server.access.Permission;
import io.ratelimit.server.access.Sessions;
import io.ratelimit.server.access.Tokens;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.FormParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.NewCookie;
import jakarta.ws.rs.core.Response;
import java.net.URI;
import java.util.Optional;
import java.util.regex.Pattern;

/** Signing in with a token, and out. */
@Path("/")
@Produces(MediaType.TEXT_HTML)
public final class SignInResource {

    /** A path of this console; nothing that a browser takes for another site. */
    private static final Pattern OWN_PATH = Pattern.compile(
            "/(?:[A-Za-z0-9._~-][A-Za-z0-9._~/-]*)?" + "(?:\\?(?:[A-Za-z0-9._~=&+/:@,-]|%[0-9A-Fa-f]{2})*)?");

    private static final int LONGEST_PATH = 1_000;

    private final Tokens tokens;
    private final Sessions sessions;
    private final Assets assets;
    private final boolean isSecure;

    /**
     * Makes the resource.
     *
     * @param tokens the tokens that were given out
     * @param sessions the sessions that are open
     * @param assets where styles and scripts are
     * @param isSecure whether browsers come by HTTPS, and the cookie is for that alone
     */
    public SignInResource(Tokens tokens, Sessions sessions, Assets assets, boolean isSecure) {
        this.tokens = tokens;
        this.sessions = sessions;
        this.assets = assets;
        this.isSecure = isSecure;
    }

    /** The page to sign in. */
    @GET
    @Path(SessionAuthentication.SIGN_IN)
    public Object page(@QueryParam("next") @DefaultValue("/") String next) {
        return new SignInPage(new Shell(assets, null, null), own(next), null);
    }

    /** Opens a session. */
    @POST
    @Path(SessionAuthentication.SIGN_IN)
    public Response signIn(
            @FormParam("token") @DefaultValue("") String secret, @FormParam("next") @DefaultValue("/") String next) {
        Optional<AccessToken> token = tokens.find(secret.strip());
        if (token.isEmpty()) {
            return refused(next, 401, "This is not a token that is in use. Look for one that begins with rlt_");
        }
        if (!token.get().grant().role().may(Permission.VIEW)) {
            return refused(next, 403, "This is a host's token, which is for programs. Ask an admin for one of yours.");
        }
        NewSession session = sessions.open(token.get());
        return Response.seeOther(URI.create(own(next)))
                .cookie(cookie(session.secret(), (int) Sessions.LENGTH.toSeconds()))
                .build();
    }

    /** Ends the session. */
    @POST
    @Path("sign-out")
    public Response signOut(@Context ContainerRequestContext request) {
        SessionAuthentication.cookie(request).ifPresent(sessions::close);
        return Response.seeOther(URI.create("/" + SessionAuthentication.SIGN_IN))
                .cookie(cookie("", 0))
                .build();
    }

    private Response refused(String next, int status, String why) {
        return Response.status(status)
                .entity(new SignInPage(new Shell(assets, null, null), own(next), why))
                .build();
    }

    private static String own(String next) {
        return next.length() <= LONGEST_PATH && OWN_PATH.matcher(next).matches() ? next : "/";
    }

    private NewCookie cookie(String value, int seconds) {
        return new NewCookie.Builder(SessionAuthentication.COOKIE)
                .value(value)
                .path("/")
                .maxAge(seconds)
                .httpOnly(true)
                .secure(isSecure)
                .sameSite(NewCookie.SameSite.LAX)
                .build();
    }
}
