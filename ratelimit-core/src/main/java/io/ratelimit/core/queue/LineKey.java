package io.ratelimit.core.queue;

import io.ratelimit.ClientIdentifier;

/**
 * Whose requests wait for what.
 *
 * @param bucket the name of the buckets
 * @param client whose buckets
 */
public record LineKey(String bucket, ClientIdentifier client) {}
