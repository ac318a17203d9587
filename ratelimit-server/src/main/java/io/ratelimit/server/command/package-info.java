/**
 * The commands: those that work on rules documents, here or at a rules service, and the one that runs the rules service.
 * Each prints what there is to say and answers with an exit status.
 */
@NullMarked
package io.ratelimit.server.command;

import org.jspecify.annotations.NullMarked;
