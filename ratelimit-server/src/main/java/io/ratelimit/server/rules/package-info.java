/**
 * The rule sets of services: every publication a version of its own, none of them lost, the newest in force. Who may
 * publish is decided elsewhere.
 */
@NullMarked
package io.ratelimit.server.rules;

import org.jspecify.annotations.NullMarked;
