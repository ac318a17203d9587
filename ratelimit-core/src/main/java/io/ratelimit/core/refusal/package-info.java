/** Refusals that are repeated without asking anew. */
@NullMarked
package io.ratelimit.core.refusal;

import org.jspecify.annotations.NullMarked;
