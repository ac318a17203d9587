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
import jakarta.ws.rs.core.MultivaluedMap;
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
 * part of the API, is a page. A form from a page of this service whose session has ended comes back, to be sent again.
 */
@Priority(Priorities.AUTHENTICATION)
public final class SessionAuthentication implements ContainerRequestFilter {

    static final String COOKIE = "ratelimit-session";
    static final String SIGN_IN = "sign-in";
    static final String CSRF_FIELD = "csrf";

    private static final String SESSION = "io.ratelimit.server.console.Session";
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final String CSRF_HEADER = "X-CSRF-Token";
    private static final List<String> OPEN = List.of("health", "ready", "metrics", "openapi.yaml", SIGN_IN);
    private static final List<String> OPEN_BELOW = List.of("v1/", "assets/");

    /** In bytes: a form with rules as people write them. */
    private static final int LARGEST_KEPT = 256 << 10;

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
            request.abortWith(
                    isOfScript(request) ? Response.status(UNAUTHORIZED).build() : signedOut(request));
        } else if (!isRead(request) && !hasToken(request, session.get())) {
            request.abortWith(ofEarlierSession(request, session.get()));
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
        return site != null && !site.equals("same-origin") && !site.equals("none") && !isRead(request);
    }

    static Optional<String> cookie(ContainerRequestContext request) {
        return Optional.ofNullable(request.getCookies().get(COOKIE)).map(Cookie::getValue);
    }

    /** To where one signs in, but for a form: leaving it would lose what was typed. */
    private Response signedOut(ContainerRequestContext request) {
        URI signIn = UriBuilder.fromPath("/" + SIGN_IN).build();
        if (isRead(request)) {
            return Response.seeOther(UriBuilder.fromUri(signIn)
                            .queryParam("next", "{path}")
                            .build(address(request.getUriInfo().getRequestUri())))
                    .build();
        }
        return kept(request, null, UNAUTHORIZED)
                .orElseGet(() -> Response.seeOther(signIn).build());
    }

    /** A script learns the token of the session that there is now; people are asked whether to go on. */
    private Response ofEarlierSession(ContainerRequestContext request, Session session) {
        if (isOfScript(request) && isFromHere(request)) {
            return Response.status(FORBIDDEN)
                    .header(CSRF_HEADER, session.csrfToken())
                    .build();
        }
        return kept(request, session, FORBIDDEN)
                .orElseGet(() -> errors.response(
                        session,
                        FORBIDDEN,
                        "This form is from another session. Nothing was changed: go back, load the page anew and send"
                                + " it again."));
    }

    /** The page with a form as it was sent; empty where nothing was filled in, or where that is not sure to be from here. */
    private Optional<Response> kept(ContainerRequestContext request, @Nullable Session session, int status) {
        return Optional.of(request)
                .filter(SessionAuthentication::isFromHere)
                .filter(SessionAuthentication::isSmall)
                .flatMap(SessionAuthentication::form)
                .map(fields -> errors.kept(session, fields))
                .filter(page -> !page.typed().isEmpty())
                .map(page -> Response.status(status)
                        .type(MediaType.TEXT_HTML_TYPE)
                        .entity(page)
                        .build());
    }

    /** Whether it changes nothing, and has no body to look into. */
    private static boolean isRead(ContainerRequestContext request) {
        return request.getMethod().equals(HttpMethod.GET) || request.getMethod().equals(HttpMethod.HEAD);
    }

    private static boolean isOfScript(ContainerRequestContext request) {
        return request.getHeaderString("HX-Request") != null;
    }

    /** Whether a page of this service has sent it: browsers tell, over plain HTTP by the origin alone. */
    private static boolean isFromHere(ContainerRequestContext request) {
        String site = request.getHeaderString("Sec-Fetch-Site");
        if (site != null) {
            return site.equals("same-origin");
        }
        String origin = request.getHeaderString("Origin");
        String host = request.getHeaderString("Host");
        return origin != null && (origin.equals("http://" + host) || origin.equals("https://" + host));
    }

    /** What nobody has signed in for must not take much memory. */
    private static boolean isSmall(ContainerRequestContext request) {
        return request.getLength() >= 0 && request.getLength() <= LARGEST_KEPT;
    }

    private static String address(URI asked) {
        return asked.getRawPath() + (asked.getRawQuery() == null ? "" : "?" + asked.getRawQuery());
    }

    private static boolean hasToken(ContainerRequestContext request, Session session) {
        String header = request.getHeaderString(CSRF_HEADER);
        return isSame(
                header == null
                        ? form(request)
                                .map(fields -> fields.getFirst(CSRF_FIELD))
                                .orElse(null)
                        : header,
                session.csrfToken());
    }

    private static Optional<MultivaluedMap<String, String>> form(ContainerRequestContext request) {
        if (!MediaType.APPLICATION_FORM_URLENCODED_TYPE.isCompatible(request.getMediaType())) {
            return Optional.empty();
        }
        ContainerRequest read = (ContainerRequest) request;
        read.bufferEntity();
        return Optional.of(read.readEntity(Form.class).asMap());
    }

    /** Takes as long for a token that is nearly right as for any other. */
    private static boolean isSame(@Nullable String sent, String expected) {
        return sent != null
                && MessageDigest.isEqual(
                        sent.getBytes(StandardCharsets.UTF_8), expected.getBytes(StandardCharsets.UTF_8));
    }
}
