package io.ratelimit.servlet;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;

/**
 * Ends a client's connection without an answer, or only the request's own stream where a connection has several (HTTP/2). The
 * Servlet API has no word for it, so that each container is asked in its own, which is looked up by name. Thread-safe.
 */
interface ConnectionAbort {

    /**
     * Aborts. Called from the thread that has the request, which then returns to the container without another word. A
     * status that is set before does not reach the client, but the container's access log.
     *
     * @param request the request as the container made it, without wrappers
     * @param response the response as the container made it, without wrappers
     * @return false if the connection stays as it was, so that the request must be answered after all
     */
    boolean abort(ServletRequest request, ServletResponse response);
}
