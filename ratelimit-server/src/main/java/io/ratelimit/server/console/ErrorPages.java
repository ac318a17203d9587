package io.ratelimit.server.console;

import com.google.common.base.Ascii;
import io.ratelimit.server.access.Session;
import io.ratelimit.server.access.Sessions;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;
import org.jspecify.annotations.Nullable;

/** Makes pages of what went wrong. Immutable and thread-safe. */
public final class ErrorPages {

    private final Assets assets;
    private final Sessions sessions;

    /**
     * Makes the pages' maker.
     *
     * @param assets where styles and scripts are
     * @param sessions who is signed in
     */
    public ErrorPages(Assets assets, Sessions sessions) {
        this.assets = assets;
        this.sessions = sessions;
    }

    /**
     * The page for a failure.
     *
     * @param request what was asked for
     * @param status the HTTP status
     * @param detail what is wrong and what would be right
     * @return the page, as the entity of a response in HTML
     */
    public Object of(ContainerRequestContext request, int status, String detail) {
        boolean isNoPage = status == 404 || status == 405;
        return page(
                isNoPage ? anybody(request) : SessionAuthentication.sessionIfAny(request),
                status,
                isNoPage
                        ? "There is no page at this address. Look at how it is spelt, or begin at the services."
                        : detail);
    }

    /** Who is signed in, also where nobody was asked for that, since there is no such page. */
    private @Nullable Session anybody(ContainerRequestContext request) {
        Session known = SessionAuthentication.sessionIfAny(request);
        return known != null
                ? known
                : SessionAuthentication.cookie(request).flatMap(sessions::find).orElse(null);
    }

    /** A failure that ends a filter. */
    Response response(@Nullable Session session, int status, String detail) {
        return Response.status(status)
                .type(MediaType.TEXT_HTML_TYPE)
                .entity(page(session, status, detail))
                .build();
    }

    /** What keeps a form that came without its session. */
    KeptFormPage kept(@Nullable Session session, MultivaluedMap<String, String> sent) {
        return KeptFormPage.of(new Shell(assets, session, null), sent);
    }

    /** What is thrown where a service has no version of a number. */
    static NotFoundException noVersion(Visit visit, long number) {
        return missing(visit, visit.service() + " has no version " + number + ". Its history lists those that it has.");
    }

    /** What is thrown where a service has no rules in force. */
    static NotFoundException noRules(Visit visit) {
        return missing(visit, visit.service() + " has no rules in force. Publish some first.");
    }

    /** What is thrown where the rules have none of a name. */
    static NotFoundException noRule(Visit visit, String rule) {
        return missing(
                visit,
                visit.service() + " has no rule '" + rule
                        + "'. It may have been renamed or removed: look at the rules.");
    }

    private static NotFoundException missing(Visit visit, String detail) {
        return new NotFoundException(Response.status(404)
                .type(MediaType.TEXT_HTML_TYPE)
                .entity(new ErrorPage(visit.shell(), 404, title(404), detail))
                .build());
    }

    private ErrorPage page(@Nullable Session session, int status, String detail) {
        return new ErrorPage(new Shell(assets, session, null), status, title(status), sentence(detail));
    }

    /** Problems of the API begin with a small letter. */
    private static String sentence(String detail) {
        return detail.isEmpty() ? detail : Ascii.toUpperCase(detail.substring(0, 1)) + detail.substring(1);
    }

    private static String title(int status) {
        return switch (status) {
            case 403 -> "You may not do this";
            case 404, 405 -> "Nothing here";
            case 412 -> "Somebody else has published meanwhile";
            case 413 -> "This is too large";
            case 503 -> "Out of reach for a moment";
            default -> status < 500 ? "This could not be read" : "Something went wrong here";
        };
    }
}
