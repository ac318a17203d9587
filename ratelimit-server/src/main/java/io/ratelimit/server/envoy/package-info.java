/**
 * Envoy's rate limit service over gRPC: finds what limits the descriptors of a request, charges it, and tells it in
 * Envoy's words; and the port that it is asked at.
 */
@NullMarked
package io.ratelimit.server.envoy;

import org.jspecify.annotations.NullMarked;
