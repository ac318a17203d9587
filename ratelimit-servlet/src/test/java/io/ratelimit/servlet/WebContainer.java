package io.ratelimit.servlet;

/** A real servlet container on a free port of the loopback interface; it speaks HTTP/1 and, in clear, HTTP/2. */
interface WebContainer extends AutoCloseable {

    /**
     * Deploys applications and starts.
     *
     * @return the port
     * @throws Exception what kept an application from starting
     */
    int start(WebApplication... applications) throws Exception;

    /** Ends the applications, and leaves the container and its connections. */
    void endApplications() throws Exception;

    /** Whether the fields that a filter has set stay in the answer to a request in which the application threw. */
    default boolean keepsFieldsOfFailures() {
        return true;
    }

    /** Whether the application hears of it when a client resets a stream of HTTP/2. */
    default boolean tellsOfResets() {
        return true;
    }

    @Override
    void close() throws Exception;
}
