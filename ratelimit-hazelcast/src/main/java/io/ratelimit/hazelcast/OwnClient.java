package io.ratelimit.hazelcast;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.ListenerConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleEvent.LifecycleState;
import com.hazelcast.core.LifecycleListener;
import io.ratelimit.store.StoreException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Starts a client of a cluster whose members run elsewhere. */
final class OwnClient {

    private static final long PATIENCE_SECONDS = 5;

    private final MemberSettings settings;
    private final ConfigurationFile file;

    OwnClient(MemberSettings settings, ConfigurationFile file) {
        this.settings = settings;
        this.file = file;
    }

    /**
     * Starts the client and connects it.
     *
     * @throws StoreException if it cannot be connected
     * @throws IllegalArgumentException if the file is not valid
     */
    HazelcastInstance start() {
        ClientConfig config = file.client();
        config.setClassLoader(OwnClient.class.getClassLoader());
        if (file.namesCluster()) {
            config.setClusterName(settings.cluster());
        }
        property(config, "hazelcast.logging.type", "slf4j");
        property(config, "hazelcast.client.statistics.enabled", "false");
        property(config, "hazelcast.client.invocation.retry.pause.millis", EmbeddedMember.RETRY_PAUSE);
        CountDownLatch connected = connectInBackground(config);
        HazelcastInstance client;
        try {
            client = HazelcastClient.newHazelcastClient(config);
        } catch (RuntimeException e) {
            throw new StoreException(
                    "store-error",
                    "the Hazelcast client of " + file.location() + " does not connect: " + e.getMessage());
        }
        if (!isInTime(connected)) {
            client.getLifecycleService().terminate();
            throw new StoreException(
                    "store-error",
                    "the Hazelcast client of " + file.location() + " reaches no member of cluster '"
                            + config.getClusterName() + "': check its cluster-members, and that the members have a port"
                            + " for clients");
        }
        return client;
    }

    /**
     * By itself, Hazelcast waits for ever for a member, and with a limit to that, it gives up for ever whenever none can be
     * reached for so long. So it connects in the background, and is waited for here.
     */
    private static CountDownLatch connectInBackground(ClientConfig config) {
        CountDownLatch connected = new CountDownLatch(1);
        config.getConnectionStrategyConfig().setAsyncStart(true);
        config.addListenerConfig(new ListenerConfig((LifecycleListener) event -> {
            if (event.getState() == LifecycleState.CLIENT_CONNECTED) {
                connected.countDown();
            }
        }));
        return connected;
    }

    private static boolean isInTime(CountDownLatch connected) {
        try {
            return connected.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static void property(ClientConfig config, String name, String value) {
        if (config.getProperty(name) == null) {
            config.setProperty(name, System.getProperty(name, value));
        }
    }
}
