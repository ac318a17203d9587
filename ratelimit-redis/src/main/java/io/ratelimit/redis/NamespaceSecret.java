package io.ratelimit.redis;

import io.lettuce.core.ScriptOutputType;
import io.ratelimit.core.wire.ClientKeys;
import io.ratelimit.core.wire.SharedSecret;
import io.ratelimit.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The secret under which the hosts of a namespace hash their clients' keys: configured, or made by the first of them and
 * kept in Redis while there are any, and some days longer. Thread-safe.
 */
final class NamespaceSecret {

    private static final Logger LOG = LoggerFactory.getLogger(NamespaceSecret.class);

    private static final byte[] KEPT = Long.toString(TimeUnit.DAYS.toMillis(7)).getBytes(StandardCharsets.US_ASCII);

    private final RedisLink link;
    private final byte[] key;
    private final boolean configured;
    private volatile ClientKeys keys;

    /**
     * Takes the configured secret, or that of the namespace.
     *
     * @throws StoreException if Redis does not answer
     */
    NamespaceSecret(RedisLink link, KeyNames names, @Nullable String configured) {
        this.link = link;
        this.configured = configured != null;
        SharedSecret own = configured == null ? SharedSecret.random() : SharedSecret.of(configured);
        this.key = configured == null ? names.secret() : names.fingerprint();
        this.keys = new ClientKeys(own.bytes());
        RedisLink.await(agree());
    }

    ClientKeys keys() {
        return keys;
    }

    /** To be called from time to time: Redis may have lost what it knew. */
    CompletableFuture<Void> agree() {
        byte[] secret = keys.secret();
        byte[] own = configured ? new SharedSecret(secret).fingerprint() : secret;
        return link.run(Script.SECRET, ScriptOutputType.VALUE, key, own, KEPT).thenAccept(answer -> {
            byte[] others = (byte[]) answer;
            if (Arrays.equals(own, others)) {
                return;
            }
            if (configured) {
                LOG.error(
                        "The hosts of this namespace do not all have the same clusterSecret, so they do not share their"
                                + " budgets: give all of them the same one, or none");
            } else {
                keys = new ClientKeys(others);
            }
        });
    }
}
