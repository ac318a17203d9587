/**
 * Rules documents as the texts that people write: reviewed, edited rule by rule without touching the rest, compared. Pure:
 * nothing here reads files or asks anybody.
 */
@NullMarked
package io.ratelimit.server.document;

import org.jspecify.annotations.NullMarked;
