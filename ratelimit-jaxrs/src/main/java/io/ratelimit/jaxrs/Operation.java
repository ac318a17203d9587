package io.ratelimit.jaxrs;

/**
 * What a resource method does, in the words of the rules.
 *
 * @param name the operation's name
 * @param cost what a request costs, or {@link io.ratelimit.RequestContext#NO_COST} to leave that to the rules file
 */
record Operation(String name, long cost) {}
