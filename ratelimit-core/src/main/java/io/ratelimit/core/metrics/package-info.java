/**
 * Meters of Micrometer. The only package that needs Micrometer on the class path: an engine without meters never loads
 * it. No client stands in a tag.
 */
@NullMarked
package io.ratelimit.core.metrics;

import org.jspecify.annotations.NullMarked;
