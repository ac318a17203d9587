package io.ratelimit.sample.manual;

import com.hazelcast.core.HazelcastInstance;
import io.ratelimit.RequestContext;
import io.ratelimit.core.RateLimitEngine;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServletRequest;
import org.slf4j.Logger;

/** The surroundings of the manual's fragments of code: what a reader has, or would write himself. */
abstract class TakenForGranted {

    protected RateLimitEngine engine;
    protected HazelcastInstance hazelcastInstance;
    protected ServletContext servletContext;
    protected Logger log;
    protected RequestContext mail;
    protected int recipients;
    protected HttpServletRequest request;
    protected long rows;

    protected abstract long send(RequestContext mail);

    protected abstract void alarm(String policy);

    protected abstract void register(Object component);

    record Order(String id) {}

    record Export(String id) {}

    record Prices(String currency) {}
}
