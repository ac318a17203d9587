package io.ratelimit.redis;

import io.lettuce.core.ScriptOutputType;
import io.ratelimit.core.wire.ClientKeys;
import io.ratelimit.core.wire.SharedSecret;
import io.ratelimit.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The secret under which the hosts of a namespace hash their clients' keys: configured, or made by the first of them and
 * kept in Redis while there are any, and some days longer. Thread-safe.
 */
final class NamespaceSecret {

    private static final Logger LOG = LoggerFactory.getLogger(NamespaceSecret.class);

    /** Hosts that are away for some days still know the buckets that they come back to. */
    private static final byte[] SECRET_KEPT = millis(TimeUnit.DAYS.toMillis(7));

    /** Of use only while there are hosts: soon after all of them have got another secret, none has this one. */
    private static final byte[] FINGERPRINT_KEPT = millis(TimeUnit.SECONDS.toMillis(10));

    private final RedisLink link;
    private final byte[] key;
    private final boolean configured;
    private final AtomicBoolean agreed = new AtomicBoolean(true);
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

    /** To be called every second: Redis may have lost what it knew. */
    CompletableFuture<Void> agree() {
        byte[] secret = keys.secret();
        byte[] own = configured ? new SharedSecret(secret).fingerprint() : secret;
        byte[] kept = configured ? FINGERPRINT_KEPT : SECRET_KEPT;
        return link.run(Script.SECRET, ScriptOutputType.VALUE, key, own, kept).thenAccept(answer -> {
            byte[] others = (byte[]) answer;
            boolean same = Arrays.equals(own, others);
            if (configured) {
                tell(same);
            } else if (!same) {
                keys = new ClientKeys(others);
            }
        });
    }

    private void tell(boolean same) {
        if (agreed.getAndSet(same) == same) {
            return;
        }
        if (same) {
            LOG.info("All hosts of this cluster have the same clusterSecret now");
        } else {
            LOG.error("The hosts of this cluster do not all have the same clusterSecret, so they do not share their"
                    + " budgets: give all of them the same one, or none");
        }
    }

    private static byte[] millis(long number) {
        return Long.toString(number).getBytes(StandardCharsets.US_ASCII);
    }
}
