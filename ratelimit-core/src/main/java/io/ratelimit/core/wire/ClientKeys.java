package io.ratelimit.core.wire;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import io.ratelimit.ClientIdentifier;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * Names clients towards other hosts: the first 128 bits of an HMAC-SHA-256 (RFC 2104) of service and client, so that
 * who sees what hosts tell one another learns no API key and no address. Thread-safe.
 */
public final class ClientKeys {

    private final byte[] secret;
    private final HashFunction hmac;

    /**
     * Begins to name clients.
     *
     * @param secret known to all hosts, and to nobody else
     */
    public ClientKeys(byte[] secret) {
        this.secret = secret.clone();
        this.hmac = Hashing.hmacSha256(secret);
    }

    /**
     * The secret.
     *
     * @return a copy
     */
    public byte[] secret() {
        return secret.clone();
    }

    /**
     * A client's key.
     *
     * @param service the service whose client it is
     * @param client the client
     * @return 128 bits, which are no UUID of any version
     */
    public UUID keyOf(String service, ClientIdentifier client) {
        ByteBuffer hash = ByteBuffer.wrap(hmac.newHasher()
                .putInt(service.length())
                .putString(service, StandardCharsets.UTF_8)
                .putString(client.canonical(), StandardCharsets.UTF_8)
                .hash()
                .asBytes());
        return new UUID(hash.getLong(), hash.getLong());
    }
}
