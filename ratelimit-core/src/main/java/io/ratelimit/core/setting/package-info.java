/** Settings of shared stores, as init-params and flags give them. */
@NullMarked
package io.ratelimit.core.setting;

import org.jspecify.annotations.NullMarked;
