package io.ratelimit.hazelcast;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.HazelcastInstance;
import io.ratelimit.store.StoreException;

/** Starts a client of a cluster whose members run elsewhere. */
final class OwnClient {

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
        try {
            return HazelcastClient.newHazelcastClient(config);
        } catch (RuntimeException e) {
            throw new StoreException(
                    "store-error",
                    "the Hazelcast client of " + file.location() + " does not connect: " + e.getMessage());
        }
    }

    private static void property(ClientConfig config, String name, String value) {
        if (config.getProperty(name) == null) {
            config.setProperty(name, System.getProperty(name, value));
        }
    }
}
