/**
 * What operators see of refusals and failures one by one: a sampled log, and events of the JDK's flight recorder. Nobody
 * is told who was refused, and what requests hold is escaped.
 */
@NullMarked
package io.ratelimit.core.watch;

import org.jspecify.annotations.NullMarked;
