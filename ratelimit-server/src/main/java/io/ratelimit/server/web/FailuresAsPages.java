package io.ratelimit.server.web;

import io.ratelimit.server.api.Problem;
import io.ratelimit.server.console.ErrorPages;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.MediaType;
import java.lang.annotation.Annotation;

/** Shows a problem as a page to who looks at pages: the API's words, the console's looks. */
final class FailuresAsPages implements ContainerResponseFilter {

    private static final String API = "v1/";

    private final ErrorPages pages;

    FailuresAsPages(ErrorPages pages) {
        this.pages = pages;
    }

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        if (response.getEntity() instanceof Problem problem && wantsPage(request)) {
            response.setEntity(
                    pages.of(request, problem.status(), problem.detail()), new Annotation[0], MediaType.TEXT_HTML_TYPE);
        }
    }

    /** Browsers name HTML where they load a page, and do not where a script of the page loads something. */
    private static boolean wantsPage(ContainerRequestContext request) {
        return !request.getUriInfo().getPath().startsWith(API)
                && request.getAcceptableMediaTypes().stream()
                        .anyMatch(type -> !type.isWildcardType() && type.isCompatible(MediaType.TEXT_HTML_TYPE));
    }
}
