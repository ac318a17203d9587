/**
 * What hosts tell one another is made of: numbers and texts in few bytes, limits, and the names of clients, which nobody
 * outside learns. Every message has a form, and room for additions of later versions.
 */
@NullMarked
package io.ratelimit.core.wire;

import org.jspecify.annotations.NullMarked;
