package io.ratelimit.core.report;

import io.ratelimit.ClientIdentifier;

/**
 * Names clients for operators: users and addresses in clear, everything else, which may be a secret, hashed.
 *
 * @param hash hashes values as all hosts of the service do
 */
record ClientNames(ClientHash hash) {

    String of(String service, ClientIdentifier client) {
        return client.describe(
                (kind, value) -> kind.equals("user") || kind.equals("ip") ? value : hash.of(service, kind, value));
    }
}
