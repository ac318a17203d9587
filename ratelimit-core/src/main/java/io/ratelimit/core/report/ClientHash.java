package io.ratelimit.core.report;

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

    /** What SplitMix64 counts by. */
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private final ClientKeys keys;
    private final long placing;

    /**
     * Makes the hash of a service's hosts.
     *
     * @param clusterSecret what they are configured with, or null
     */
    ClientHash(@Nullable String clusterSecret) {
        byte[] secret = SharedSecret.of(PURPOSE + (clusterSecret == null ? "" : clusterSecret))
                .bytes();
        this.keys = new ClientKeys(secret);
        this.placing = ByteBuffer.wrap(secret).getLong();
    }

    /** What is told in place of a value. */
    String of(String service, String kind, String value) {
        long hash = keys.keyOf(service, ClientIdentifier.of(kind, value)).getMostSignificantBits();
        return "#" + HexFormat.of().toHexDigits(hash);
    }

    /**
     * Where a client stands among all: from 0, below 1, evenly. Asked for each request, and no secret: whoever makes clients
     * that stand in one place changes what is recorded, and nothing else.
     */
    double placeOf(ClientIdentifier client) {
        long mixed = mix(client.canonical().hashCode() * GOLDEN ^ placing);
        return (mixed >>> 11) * 0x1p-53;
    }

    /** Spreads neighbours over all numbers (the finalizer of SplitMix64, by Steele, Lea and Flood). */
    private static long mix(long number) {
        long once = (number ^ number >>> 30) * 0xBF58476D1CE4E5B9L;
        long twice = (once ^ once >>> 27) * 0x94D049BB133111EBL;
        return twice ^ twice >>> 31;
    }
}
