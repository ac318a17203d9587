/**
 * What applications add to the rules engine: resolvers of attributes and costs, and verifiers of identities; how they
 * are found on the class path, and what becomes of those that fail.
 */
@NullMarked
package io.ratelimit.core.extension;

import org.jspecify.annotations.NullMarked;
