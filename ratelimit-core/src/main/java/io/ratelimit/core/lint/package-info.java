/**
 * Looks for what is likely a mistake in rules that are valid: rules and overrides that never apply, requests that no
 * limit can let pass, clients that anybody can invent. Stands on the model alone, and never refuses rules.
 */
@NullMarked
package io.ratelimit.core.lint;

import org.jspecify.annotations.NullMarked;
