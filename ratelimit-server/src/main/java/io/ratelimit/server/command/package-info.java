/**
 * The commands for rules documents: check, explain, compare. Each reads its documents, prints what there is to say and
 * answers with an exit status.
 */
@NullMarked
package io.ratelimit.server.command;

import org.jspecify.annotations.NullMarked;
