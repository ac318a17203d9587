/**
 * What a host tells the service that it has its rules from: which rules are in force, what they have decided, and the
 * requests of a share of the clients. Secrets leave the host as hashes only, and nothing waits for a report.
 */
@NullMarked
package io.ratelimit.core.report;

import org.jspecify.annotations.NullMarked;
