/**
 * The limiter as a servlet filter: by {@code web.xml}, by jar alone, or by builder.
 */
@NullMarked
package io.ratelimit.servlet;

import org.jspecify.annotations.NullMarked;
