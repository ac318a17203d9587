/**
 * What a decision looks like over HTTP: header fields and the body of a refusal, without servlet types.
 */
@NullMarked
package io.ratelimit.core.http;

import org.jspecify.annotations.NullMarked;
