/**
 * Buckets of each host, reconciled with those of a store that all hosts share: each host adds what was spent on it, and
 * takes back the sum. The face is {@link io.ratelimit.core.reconcile.ReconcilingBucketStore}.
 */
@NullMarked
package io.ratelimit.core.reconcile;

import org.jspecify.annotations.NullMarked;
