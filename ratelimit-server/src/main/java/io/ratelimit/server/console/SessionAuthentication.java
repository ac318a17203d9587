package io.ratelimit.server.console;

import io.ratelimit.server.access.Session;
import io.ratelimit.server.access.Sessions;
import jakarta.annotation.Priority;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.Cookie;
import jakarta.ws.rs.core.Form;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriBuilder;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.glassfish.jersey.server.ContainerRequest;
import org.jspecify.annotations.Nullable;

/**
 * Lets nobody to a page without a session, and no form in that another site has sent. All that is not listed as open, nor
 * part of the API, is a page.
 */
@Priority(Priorities.AUTHENTICATION)
public final class SessionAuthentication implements ContainerRequestFilter {

    static final String COOKIE = "ratelimit-session";
    static final String SIGN_IN = "sign-in";

    private static final String SESSION = "io.ratelimit.server.console.Session";
    private static final int FORBIDDEN = 403;
    private static final String CSRF_FIELD = "csrf";
    private static final List<String> OPEN = List.of("health", "ready", "metrics", "openapi.yaml", SIGN_IN);
    private static final List<String> OPEN_BELOW = List.of("v1/", "assets/");

    private final Sessions sessions;
    private final ErrorPages errors;

    /**
     * Makes the filter.
     *
     * @param sessions the sessions that are open
     * @param errors the pages for those who are not let in
     */
    public SessionAuthentication(Sessions sessions, ErrorPages errors) {
        this.sessions = sessions;
        this.errors = errors;
    }

    @Override
    public void filter(ContainerRequestContext request) {
        if (isFromAnotherSite(request)) {
            request.abortWith(errors.response(
                    null, FORBIDDEN, "This form was sent by another site. Nothing was changed: use the forms here."));
            return;
        }
        String path = request.getUriInfo().getPath();
        if (OPEN.contains(path) || OPEN_BELOW.stream().anyMatch(path::startsWith)) {
            return;
        }
        Optional<Session> session = cookie(request).flatMap(sessions::find);
        if (session.isEmpty()) {
            request.abortWith(toSignIn(request));
        } else if (!request.getMethod().equals(HttpMethod.GET) && !hasToken(request, session.get())) {
            request.abortWith(errors.response(
                    session.get(),
                    FORBIDDEN,
                    "This form is from another session. Nothing was changed: go back, load the page anew and send it"
                            + " again."));
        } else {
            request.setProperty(SESSION, session.get());
        }
    }

    /** The session of a request that was let in. */
    static Session session(ContainerRequestContext request) {
        return Objects.requireNonNull(sessionIfAny(request), "pages are for those who were let in");
    }

    /** The session of any request; null for one that was not let in. */
    static @Nullable Session sessionIfAny(ContainerRequestContext request) {
        return (Session) request.getProperty(SESSION);
    }

    /** Browsers tell where a request comes from; whatever else asks does not send the header. */
    private static boolean isFromAnotherSite(ContainerRequestContext request) {
        String site = request.getHeaderString("Sec-Fetch-Site");
        return site != null
                && !site.equals("same-origin")
                && !site.equals("none")
                && !request.getMethod().equals(HttpMethod.GET)
                && !request.getMethod().equals(HttpMethod.HEAD);
    }

    static Optional<String> cookie(ContainerRequestContext request) {
        return Optional.ofNullable(request.getCookies().get(COOKIE)).map(Cookie::getValue);
    }

    /** A script that loads a part of a page gets no page into it: the browser is told to leave. */
    private static Response toSignIn(ContainerRequestContext request) {
        URI signIn = UriBuilder.fromPath("/" + SIGN_IN).build();
        if (request.getHeaderString("HX-Request") != null) {
            return Response.status(401).header("HX-Redirect", signIn).build();
        }
        boolean comesBack = request.getMethod().equals(HttpMethod.GET);
        return Response.seeOther(
                        comesBack
                                ? UriBuilder.fromUri(signIn)
                                        .queryParam("next", "{path}")
                                        .build(address(request.getUriInfo().getRequestUri()))
                                : signIn)
                .build();
    }

    private static String address(URI asked) {
        return asked.getRawPath() + (asked.getRawQuery() == null ? "" : "?" + asked.getRawQuery());
    }

    private static boolean hasToken(ContainerRequestContext request, Session session) {
        String header = request.getHeaderString("X-CSRF-Token");
        return isSame(header == null ? field(request) : header, session.csrfToken());
    }

    private static @Nullable String field(ContainerRequestContext request) {
        if (!MediaType.APPLICATION_FORM_URLENCODED_TYPE.isCompatible(request.getMediaType())) {
            return null;
        }
        ContainerRequest read = (ContainerRequest) request;
        read.bufferEntity();
        return read.readEntity(Form.class).asMap().getFirst(CSRF_FIELD);
    }

    /** Takes as long for a token that is nearly right as for any other. */
    private static boolean isSame(@Nullable String sent, String expected) {
        return sent != null
                && MessageDigest.isEqual(
                        sent.getBytes(StandardCharsets.UTF_8), expected.getBytes(StandardCharsets.UTF_8));
    }
}
