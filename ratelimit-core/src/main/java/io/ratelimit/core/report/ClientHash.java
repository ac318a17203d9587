package io.ratelimit.core.report;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import io.ratelimit.ClientIdentifier;
import io.ratelimit.core.wire.ClientKeys;
import io.ratelimit.core.wire.SharedSecret;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Hashes that all hosts of a service compute alike. Values that may be secrets leave the host as an HMAC-SHA-256 under the
 * {@code clusterSecret}, which no rules service knows. Without one the key is no secret: who can guess a value can then
 * check the guess, and random keys and tokens cannot be guessed. Thread-safe.
 */
final class ClientHash {

    /** Keeps the hashes apart from those by which hosts name clients to one another. */
    private static final String PURPOSE = "reports to the rules service:";

    private final ClientKeys keys;
    private final HashFunction places;

    /**
     * Makes the hash of a service's hosts.
     *
     * @param clusterSecret what they are configured with, or null
     */
    ClientHash(@Nullable String clusterSecret) {
        byte[] secret = SharedSecret.of(PURPOSE + (clusterSecret == null ? "" : clusterSecret))
                .bytes();
        ByteBuffer parts = ByteBuffer.wrap(secret);
        this.keys = new ClientKeys(secret);
        this.places = Hashing.sipHash24(parts.getLong(), parts.getLong());
    }

    /** What is told in place of a value. */
    String of(String service, String kind, String value) {
        long hash = keys.keyOf(service, ClientIdentifier.of(kind, value)).getMostSignificantBits();
        return "#" + HexFormat.of().toHexDigits(hash);
    }

    /** Where a client stands among all: from 0, below 1, evenly. */
    double placeOf(ClientIdentifier client) {
        return (places.hashUnencodedChars(client.canonical()).asLong() >>> 11) * 0x1p-53;
    }
}
