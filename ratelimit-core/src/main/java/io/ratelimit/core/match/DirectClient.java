package io.ratelimit.core.match;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.core.bucket.ClientKind;

/**
 * A client as a request names him.
 *
 * @param kind what tells him apart
 * @param value his value, not empty
 */
public record DirectClient(ClientKind kind, String value) {

    ClientIdentifier identifier() {
        return kind.client(value);
    }
}
