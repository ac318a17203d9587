package io.ratelimit.benchmarks.filter;

import java.util.List;

/** A container with one application for each variant, which differ in their filter only. */
interface FilterServer {

    /**
     * How many threads answer. All are there from the start, so that none ends and takes its times along.
     */
    int THREADS = 8;

    /** How the names of the threads begin that work for requests. */
    String THREAD_NAME = "http-";

    /**
     * Starts it.
     *
     * @return the port of the loopback interface that it listens on
     * @throws Exception if the container does not start
     */
    int start(List<Application> applications) throws Exception;

    /**
     * Ends it.
     *
     * @throws Exception if the container does not stop
     */
    void stop() throws Exception;
}
