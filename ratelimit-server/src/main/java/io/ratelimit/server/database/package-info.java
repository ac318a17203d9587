/**
 * The database: how it is opened, brought up to date and asked, and how its absence is told. H2 in a file of its own, or
 * PostgreSQL; the same SQL for both.
 */
@NullMarked
package io.ratelimit.server.database;

import org.jspecify.annotations.NullMarked;
