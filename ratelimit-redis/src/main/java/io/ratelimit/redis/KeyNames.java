package io.ratelimit.redis;

import com.google.common.escape.Escaper;
import com.google.common.net.PercentEscaper;
import io.ratelimit.core.entry.EntryKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.UUID;

/**
 * The names of keys: namespace, service and what it is, with colons between them, so that those who share a Redis can tell
 * theirs apart, by access rules too. An entry is one key, in one hash slot. Immutable.
 */
final class KeyNames {

    /** All else is escaped, above all colons, and the braces that choose a hash slot. */
    private static final Escaper ESCAPER = new PercentEscaper("-._~", false);

    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

    private final String namespace;

    KeyNames(String namespace) {
        this.namespace = ESCAPER.escape(namespace);
    }

    /** A client's entry. */
    byte[] entry(EntryKey key) {
        UUID client = key.client();
        byte[] bits = ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(client.getMostSignificantBits())
                .putLong(client.getLeastSignificantBits())
                .array();
        return name(key.service(), BASE64.encodeToString(bits));
    }

    /** The hosts of a service. */
    byte[] hosts(String service) {
        return name(service, "hosts");
    }

    /** What keys of clients are hashed by. */
    byte[] secret() {
        return (namespace + ":secret").getBytes(StandardCharsets.US_ASCII);
    }

    /** What tells whether all hosts are configured with the same secret. */
    byte[] fingerprint() {
        return (namespace + ":fingerprint").getBytes(StandardCharsets.US_ASCII);
    }

    private byte[] name(String service, String what) {
        return (namespace + ":" + ESCAPER.escape(service) + ":" + what).getBytes(StandardCharsets.US_ASCII);
    }
}
