/**
 * Leases: a host takes tokens of a shared bucket ahead of time, and spends them without asking anybody. The face is
 * {@link io.ratelimit.core.lease.LeasingBucketStore}, a decorator of any store that says how many hosts share it.
 */
@NullMarked
package io.ratelimit.core.lease;

import org.jspecify.annotations.NullMarked;
