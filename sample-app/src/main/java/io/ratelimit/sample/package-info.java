/**
 * An orders API that shows every way in.
 */
@NullMarked
package io.ratelimit.sample;

import org.jspecify.annotations.NullMarked;
