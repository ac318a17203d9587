package io.ratelimit.hazelcast;

import io.ratelimit.core.bucket.CompiledSpec;

/**
 * Which of a client's buckets, and what it counts by. A member keeps one instance for all clients.
 *
 * @param name the bucket's name
 * @param spec its limits
 */
record NamedSpec(String name, CompiledSpec spec) {}
