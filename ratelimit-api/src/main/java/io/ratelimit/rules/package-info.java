/**
 * The rules as immutable values ({@link io.ratelimit.rules.RuleSet}, {@link io.ratelimit.rules.Rule},
 * {@link io.ratelimit.rules.Limit}) and the place they come from ({@link io.ratelimit.rules.RulesSource}). How they are
 * written in a file is the core's concern.
 */
@NullMarked
package io.ratelimit.rules;

import org.jspecify.annotations.NullMarked;
