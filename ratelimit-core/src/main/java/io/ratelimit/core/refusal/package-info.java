/**
 * Refusals that are repeated without asking anew: what a shared store has refused, this host refuses by itself for a short
 * while. The faces are {@link io.ratelimit.core.refusal.NotingBucketStore}, which takes note, and
 * {@link io.ratelimit.core.refusal.RefusingBucketStore}, which refuses.
 */
@NullMarked
package io.ratelimit.core.refusal;

import org.jspecify.annotations.NullMarked;
