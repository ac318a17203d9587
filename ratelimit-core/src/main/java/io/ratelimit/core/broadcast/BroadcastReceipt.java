package io.ratelimit.core.broadcast;

import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.Receipt;
import java.util.UUID;

/**
 * A charge of this host's buckets that the other hosts hear of.
 *
 * @param local the receipt of this host's table
 * @param bucket which bucket
 * @param key whose
 * @param nanos when it was made
 */
record BroadcastReceipt(Receipt local, BucketSpec bucket, UUID key, long nanos) implements Receipt {}
