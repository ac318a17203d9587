package io.ratelimit.core.entry;

import io.ratelimit.core.bucket.OwnerBreaker;

/**
 * A client, and who had its buckets when that was looked up, which takes a while.
 *
 * @param key the client
 * @param owner the breaker of the owner that had them
 */
record LocatedClient(EntryKey key, OwnerBreaker owner) {}
