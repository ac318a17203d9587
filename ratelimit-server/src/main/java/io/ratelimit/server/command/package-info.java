/** The commands of the command line: what each reads, prints and exits with. */
@NullMarked
package io.ratelimit.server.command;

import org.jspecify.annotations.NullMarked;
