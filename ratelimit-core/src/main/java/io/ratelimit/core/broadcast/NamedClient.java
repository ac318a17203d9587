package io.ratelimit.core.broadcast;

import io.ratelimit.ClientIdentifier;
import java.util.HexFormat;
import java.util.UUID;

/**
 * A client as all hosts know it: by a hash, which is also the name of its buckets in this host's table, since messages
 * have no other.
 *
 * @param key the hash
 * @param identifier the same for the table
 */
record NamedClient(UUID key, ClientIdentifier identifier) {

    private static final String KIND = "eventual";

    static NamedClient of(UUID key) {
        HexFormat hex = HexFormat.of();
        return new NamedClient(
                key,
                ClientIdentifier.of(
                        KIND,
                        hex.toHexDigits(key.getMostSignificantBits())
                                + hex.toHexDigits(key.getLeastSignificantBits())));
    }
}
