/**
 * Hosts that tell one another what was spent, over UDP or TCP, without a store: {@code sharing: eventual} on JGroups.
 */
@NullMarked
package io.ratelimit.jgroups;

import org.jspecify.annotations.NullMarked;
