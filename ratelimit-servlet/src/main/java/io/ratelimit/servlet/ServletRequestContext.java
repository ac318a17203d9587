package io.ratelimit.servlet;

import io.ratelimit.RequestContext;
import io.ratelimit.core.http.QueryString;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A servlet request as the limiter reads it. Only path and query are read at once, because a later dispatch may change what the
 * same request object says. Nothing here touches the session, the body or the parameters, of which the body may hold some.
 */
final class ServletRequestContext implements RequestContext {

    private final HttpServletRequest request;
    private final String path;
    private final QueryString query;

    ServletRequestContext(HttpServletRequest request) {
        this.request = request;
        this.path = clientPath(request);
        this.query = new QueryString(clientQuery(request));
    }

    /** The path that the client asked for, also where the filter is first met in a forward or an async dispatch. */
    private static String clientPath(HttpServletRequest request) {
        return switch (request.getDispatcherType()) {
            case FORWARD ->
                pathBefore(request, RequestDispatcher.FORWARD_SERVLET_PATH, RequestDispatcher.FORWARD_PATH_INFO);
            case ASYNC -> pathBefore(request, AsyncContext.ASYNC_SERVLET_PATH, AsyncContext.ASYNC_PATH_INFO);
            case REQUEST, INCLUDE, ERROR -> path(request.getServletPath(), request.getPathInfo());
        };
    }

    /** A dispatch by name, or back to where the request came from, leaves the path and sets no attributes. */
    private static String pathBefore(HttpServletRequest request, String servletPathName, String pathInfoName) {
        Object servletPath = request.getAttribute(servletPathName);
        return servletPath == null
                ? path(request.getServletPath(), request.getPathInfo())
                : path(servletPath, request.getAttribute(pathInfoName));
    }

    /** The query beside {@link #clientPath}: the target of a dispatch may have one of its own. */
    private static @Nullable String clientQuery(HttpServletRequest request) {
        return switch (request.getDispatcherType()) {
            case FORWARD ->
                queryBefore(request, RequestDispatcher.FORWARD_SERVLET_PATH, RequestDispatcher.FORWARD_QUERY_STRING);
            case ASYNC -> queryBefore(request, AsyncContext.ASYNC_SERVLET_PATH, AsyncContext.ASYNC_QUERY_STRING);
            case REQUEST, INCLUDE, ERROR -> request.getQueryString();
        };
    }

    private static @Nullable String queryBefore(HttpServletRequest request, String servletPathName, String queryName) {
        if (request.getAttribute(servletPathName) == null) {
            return request.getQueryString();
        }
        Object query = request.getAttribute(queryName);
        return query == null ? null : query.toString();
    }

    /** Servlet path and path info together are the path below the context; either may be missing. */
    private static String path(@Nullable Object servletPath, @Nullable Object pathInfo) {
        String first = servletPath == null ? "" : servletPath.toString();
        String path = pathInfo == null ? first : first + pathInfo;
        return path.isEmpty() ? "/" : path;
    }

    @Override
    public String method() {
        return request.getMethod();
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public @Nullable String peerAddress() {
        String address = request.getRemoteAddr();
        return address == null || address.isEmpty() ? null : address;
    }

    @Override
    public @Nullable String user() {
        Principal principal = request.getUserPrincipal();
        String name = principal == null ? null : principal.getName();
        return name == null ? request.getRemoteUser() : name;
    }

    @Override
    public List<String> headers(String name) {
        Enumeration<String> lines = request.getHeaders(name);
        return lines == null || !lines.hasMoreElements() ? List.of() : Collections.list(lines);
    }

    @Override
    public @Nullable String cookie(String name) {
        Cookie[] cookies = cookies();
        if (cookies == null) {
            return null;
        }
        for (Cookie cookie : cookies) {
            if (cookie.getName().equals(name)) {
                return cookie.getValue();
            }
        }
        return null;
    }

    /** A header that the container cannot parse holds no cookies. */
    private Cookie @Nullable [] cookies() {
        try {
            return request.getCookies();
        } catch (RuntimeException unreadable) {
            return null;
        }
    }

    @Override
    public List<String> queryParameters(String name) {
        return query.values(name);
    }

    @Override
    public @Nullable Object attribute(String name) {
        return request.getAttribute(name);
    }
}
