/** Who did what and when: written with each act, in its transaction, and never changed. */
@NullMarked
package io.ratelimit.server.audit;

import org.jspecify.annotations.NullMarked;
