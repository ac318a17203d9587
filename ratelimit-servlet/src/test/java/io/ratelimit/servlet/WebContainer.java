package io.ratelimit.servlet;

/** A real servlet container on a free port of the loopback interface. */
interface WebContainer extends AutoCloseable {

    /**
     * Deploys an application and starts.
     *
     * @return the port
     * @throws Exception what kept the application from starting
     */
    int start(WebApplication application) throws Exception;

    @Override
    void close() throws Exception;
}
