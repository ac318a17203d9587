package io.ratelimit.server.traffic;

/**
 * A recorded request, and how many others it stands for.
 *
 * @param request the request
 * @param share the share of the clients whose requests were recorded then, above 0, at most 1
 */
public record SampledRequest(RecordedRequest request, double share) {}
