/**
 * Buckets that all hosts of a service share, in an embedded Hazelcast cluster.
 */
@NullMarked
package io.ratelimit.hazelcast;

import org.jspecify.annotations.NullMarked;
