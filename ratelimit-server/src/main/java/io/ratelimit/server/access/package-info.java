/** Who may do what: bearer tokens with a role for services, sessions of browsers, and what each role may. */
@NullMarked
package io.ratelimit.server.access;

import org.jspecify.annotations.NullMarked;
