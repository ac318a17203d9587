package io.ratelimit.server.envoy.descriptor;

import io.ratelimit.ClientIdentifier;

/**
 * What applies to a request's descriptor.
 *
 * @param limit the limit
 * @param client whose buckets are charged: the descriptor's values, but for those that share one bucket
 */
public record DescriptorMatch(DescriptorLimit limit, ClientIdentifier client) {}
