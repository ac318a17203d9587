package io.ratelimit.hazelcast;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import io.ratelimit.ClientIdentifier;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * Names clients towards the cluster: the first 128 bits of an HMAC-SHA-256 (RFC 2104) of service and client, so that
 * who sees the cluster's data learns no API key and no address. Thread-safe.
 */
final class ClientKeys {

    private final byte[] secret;
    private final HashFunction hmac;

    ClientKeys(byte[] secret) {
        this.secret = secret.clone();
        this.hmac = Hashing.hmacSha256(secret);
    }

    /** The secret. */
    byte[] secret() {
        return secret.clone();
    }

    /** A client's key: a UUID only because that is what Hazelcast's own serializers know of 128 bits. */
    UUID keyOf(String service, ClientIdentifier client) {
        ByteBuffer hash = ByteBuffer.wrap(hmac.newHasher()
                .putInt(service.length())
                .putString(service, StandardCharsets.UTF_8)
                .putString(client.canonical(), StandardCharsets.UTF_8)
                .hash()
                .asBytes());
        return new UUID(hash.getLong(), hash.getLong());
    }
}
