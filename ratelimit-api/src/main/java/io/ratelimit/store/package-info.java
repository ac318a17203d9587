/**
 * Where bucket states live: a {@link io.ratelimit.store.BucketStore} spends {@link io.ratelimit.store.Charge}s, all or
 * none, and takes refunds against {@link io.ratelimit.store.Receipt}s. Stores are found through
 * {@link io.ratelimit.store.BucketStoreFactory}.
 */
@NullMarked
package io.ratelimit.store;

import org.jspecify.annotations.NullMarked;
