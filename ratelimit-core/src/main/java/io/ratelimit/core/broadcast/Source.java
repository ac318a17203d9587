package io.ratelimit.core.broadcast;

import java.util.UUID;

/**
 * Where a sum is made, and of what: which bucket of which client on which host.
 *
 * @param origin what the host calls itself
 * @param bucket the bucket's name
 * @param key whose
 */
record Source(long origin, String bucket, UUID key) {}
