package io.ratelimit.core.report;

import io.ratelimit.ClientIdentifier;

/**
 * A client whom a rule refuses.
 *
 * @param rule the rule's name
 * @param client the client
 */
record RefusedClient(String rule, ClientIdentifier client) {}
