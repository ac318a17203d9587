/**
 * Rules as text: reads YAML or JSON strictly into the model and says of every problem where it is and what would be
 * right. The grammars of limits, durations and keys are here.
 */
@NullMarked
package io.ratelimit.core.rules;

import org.jspecify.annotations.NullMarked;
