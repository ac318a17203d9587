/**
 * Descriptor files as Envoy's reference rate limit service reads them: strict reading, the tree of a domain and its one
 * lookup, and files that are followed while they change.
 */
@NullMarked
package io.ratelimit.server.envoy.descriptor;

import org.jspecify.annotations.NullMarked;
