package io.ratelimit.core.broadcast;

import java.util.UUID;

/**
 * Which bucket of which client.
 *
 * @param bucket the bucket's name
 * @param key whose
 */
record Place(String bucket, UUID key) {}
