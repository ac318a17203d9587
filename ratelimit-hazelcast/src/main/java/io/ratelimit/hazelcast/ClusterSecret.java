package io.ratelimit.hazelcast;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import io.ratelimit.core.wire.ClientKeys;
import io.ratelimit.core.wire.SharedSecret;
import io.ratelimit.store.StoreException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The secret under which the members of a cluster hash their clients' keys: configured, or made by the first member and
 * kept by the cluster. Thread-safe.
 */
final class ClusterSecret {

    /** Kept apart from the buckets, which come and go. */
    static final String MAP = "ratelimit.secret";

    private static final Logger LOG = LoggerFactory.getLogger(ClusterSecret.class);
    private static final String SECRET = "secret";
    private static final String FINGERPRINT = "fingerprint";
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final HazelcastInstance instance;
    private final boolean configured;
    private final Duration patience;
    private volatile ClientKeys keys;

    /**
     * Takes the configured secret, or the cluster's.
     *
     * @throws StoreException if the cluster does not answer
     */
    ClusterSecret(HazelcastInstance instance, @Nullable String configured) {
        this(instance, configured, PATIENCE);
    }

    ClusterSecret(HazelcastInstance instance, @Nullable String configured, Duration patience) {
        this.instance = instance;
        this.patience = patience;
        this.configured = configured != null;
        SharedSecret own = configured == null ? SharedSecret.random() : SharedSecret.of(configured);
        this.keys = new ClientKeys(own.bytes());
        agree();
    }

    ClientKeys keys() {
        return keys;
    }

    /** Whoever comes first says what the secret is. To be called again when the cluster may have another one, or none. */
    void agree() {
        IMap<String, byte[]> map = instance.getMap(MAP);
        if (!configured) {
            byte[] present = putIfAbsent(map, SECRET, keys.secret());
            if (present != null && !Arrays.equals(present, keys.secret())) {
                keys = new ClientKeys(present);
            }
        }
        byte[] own = new SharedSecret(keys.secret()).fingerprint();
        byte[] others = putIfAbsent(map, FINGERPRINT, own);
        if (others != null && !Arrays.equals(others, own)) {
            LOG.error("The members of this cluster do not all have the same clusterSecret, so they do not share their"
                    + " budgets: give all of them the same one, or none");
        }
    }

    /** A frozen member holds Hazelcast's own calls for minutes, and the application's start with them. */
    private byte @Nullable [] putIfAbsent(IMap<String, byte[]> map, String key, byte[] value) {
        FutureTask<byte @Nullable []> present = new FutureTask<>(() -> map.putIfAbsent(key, value));
        Thread caller = new Thread(present, "ratelimit-secret");
        caller.setDaemon(true);
        caller.start();
        try {
            return present.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            present.cancel(true);
            throw new StoreException("store-error", "the cluster does not say what its secret is: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("store-error", "interrupted while waiting for the cluster's secret");
        }
    }
}
