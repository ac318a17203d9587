package io.ratelimit.core.watch;

import io.ratelimit.RequestContext;

/** A request that is none of HTTP, such as a proxy's question: logs tell it by its own words in place of method and path. */
public interface WordedRequest extends RequestContext {

    /**
     * What logs call it. Asked for only when there is something to log.
     *
     * @return a text without anything that tells who asks, such as {@code domain shop: user, path}; logs escape and shorten
     *     it
     */
    String inWords();
}
