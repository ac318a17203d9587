package io.ratelimit.hazelcast;

import com.google.common.base.Throwables;
import com.hazelcast.cluster.Member;
import com.hazelcast.config.AdvancedNetworkConfig;
import com.hazelcast.config.Config;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.MapConfig;
import com.hazelcast.config.MergePolicyConfig;
import com.hazelcast.config.ServerSocketEndpointConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import io.ratelimit.store.StoreException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts a member of the cluster in this process. */
final class EmbeddedMember {

    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedMember.class);
    private static final int MERGE_BATCH = 100;

    /**
     * How long a call waits, in milliseconds, that finds its buckets on the move, after some tries at once. By default half a
     * second, so that calls miss their timeout when members come and go, though most moves take some milliseconds.
     */
    static final String RETRY_PAUSE = "10";

    /** So many tries that a call is given up after two minutes all the same, as by default. */
    private static final String RETRIES = "12500";

    private final MemberSettings settings;

    EmbeddedMember(MemberSettings settings) {
        this.settings = settings;
    }

    /**
     * Starts the member and joins the others, if there are any.
     *
     * @throws StoreException if it cannot be started
     * @throws IllegalArgumentException if Hazelcast's own configuration is not valid
     */
    HazelcastInstance start() {
        ConfigurationFile file = settings.configuration();
        if (file == null) {
            requireFreePort();
        }
        Config config = file == null ? config() : config(file);
        HazelcastInstance instance;
        try {
            instance = Hazelcast.newHazelcastInstance(config);
        } catch (RuntimeException e) {
            throw new StoreException("store-error", "the member of " + settings + " does not start: " + reasons(e));
        }
        report(instance);
        return instance;
    }

    /** How the buckets are kept, in our own members as well as in those that are handed in. */
    static MapConfig bucketsConfig() {
        return new MapConfig(HazelcastBucketStore.MAP)
                .setInMemoryFormat(InMemoryFormat.OBJECT)
                .setBackupCount(0)
                .setAsyncBackupCount(1)
                .setStatisticsEnabled(false)
                .setPerEntryStatsEnabled(false)
                .setMergePolicyConfig(new MergePolicyConfig(FewerTokensMergePolicy.class.getName(), MERGE_BATCH));
    }

    /** A lost secret would part the members that know it from those that come later. */
    static MapConfig secretConfig() {
        return new MapConfig(ClusterSecret.MAP).setBackupCount(1).setAsyncBackupCount(2);
    }

    private Config config() {
        Config config = completed(new Config());
        config.setClusterName(settings.cluster());
        property(config, "hazelcast.wait.seconds.before.join", "1");
        property(config, "hazelcast.max.join.seconds", "30");
        property(config, "hazelcast.socket.bind.any", "false");
        configureNetwork(config.getAdvancedNetworkConfig());
        return config;
    }

    /** What the file says of the network stays; of the rest, what buckets need. */
    private Config config(ConfigurationFile file) {
        Config config = completed(file.member());
        if (file.namesCluster()) {
            config.setClusterName(settings.cluster());
        }
        return config;
    }

    /** What Hazelcast says, and what it leaves to the causes. */
    private static String reasons(Throwable failure) {
        return Throwables.getCausalChain(failure).stream()
                .map(cause -> String.valueOf(cause.getMessage()))
                .distinct()
                .collect(Collectors.joining(": "));
    }

    private static Config completed(Config config) {
        config.setClassLoader(EmbeddedMember.class.getClassLoader());
        config.getJetConfig().setEnabled(false);
        config.getMetricsConfig().setEnabled(false);
        config.addMapConfig(bucketsConfig()).addMapConfig(secretConfig());
        property(config, "hazelcast.logging.type", "slf4j");
        property(config, "hazelcast.phone.home.enabled", "false");
        property(config, "hazelcast.shutdownhook.enabled", "false");
        property(config, "hazelcast.heartbeat.interval.seconds", "1");
        property(config, "hazelcast.max.no.heartbeat.seconds", "10");
        property(config, "hazelcast.graceful.shutdown.max.wait", "10");
        property(config, "hazelcast.invocation.retry.pause.millis", RETRY_PAUSE);
        property(config, "hazelcast.invocation.max.retry.count", RETRIES);
        property(config, "hazelcast.merge.first.run.delay.seconds", "10");
        property(config, "hazelcast.merge.next.run.delay.seconds", "5");
        return config;
    }

    /** An operator's file and system property stand before ours. */
    private static void property(Config config, String name, String value) {
        if (config.getProperty(name) == null) {
            config.setProperty(name, System.getProperty(name, value));
        }
    }

    /**
     * A port for members only. With one for clients too, as Hazelcast opens it by default, a thread of its network spins for
     * as long as it waits for the greeting of a member that is silent, which it asks when it joins or whether to merge, and
     * other members may not be heard meanwhile.
     */
    private void configureNetwork(AdvancedNetworkConfig network) {
        ServerSocketEndpointConfig port = new ServerSocketEndpointConfig()
                .setPort(settings.memberPort())
                .setPortAutoIncrement(true)
                .setPortCount(settings.portCount());
        port.getInterfaces().setEnabled(true).addInterface(settings.memberAddress());
        network.setEnabled(true).setMemberEndpointConfig(port);
        List<String> members = settings.membersGiven() ? settings.members() : new Neighbours(settings).toAsk();
        JoinConfig join = network.getJoin();
        join.getAutoDetectionConfig().setEnabled(false);
        join.getMulticastConfig().setEnabled(false);
        join.getTcpIpConfig().setEnabled(true).setMembers(members);
    }

    private void requireFreePort() {
        for (int port = settings.memberPort(); port <= settings.lastPort(); port++) {
            try (ServerSocket socket = new ServerSocket()) {
                socket.setReuseAddress(true);
                socket.bind(new InetSocketAddress(InetAddress.getByName(settings.memberAddress()), port));
                return;
            } catch (IOException e) {
                LOG.debug("Port {} is not free", port, e);
            }
        }
        throw new StoreException(
                "store-error",
                "none of the ports " + settings.memberPort() + " to " + settings.lastPort() + " of "
                        + settings.memberAddress()
                        + " is free for the cluster's member: give another memberPort, or stop what holds them");
    }

    private void report(HazelcastInstance instance) {
        Member self = instance.getCluster().getLocalMember();
        String address = MemberSettings.hostAndPort(
                self.getAddress().getHost(), self.getAddress().getPort());
        int size = instance.getCluster().getMembers().size();
        String cluster = instance.getConfig().getClusterName();
        boolean expectsOthers =
                settings.membersGiven() && settings.members().stream().anyMatch(member -> !member.equals(address));
        if (size == 1 && expectsOthers) {
            LOG.warn(
                    "Member {} of cluster '{}' is ALONE: no other member answers at {}; budgets are shared as soon as"
                            + " one joins",
                    address,
                    cluster,
                    String.join(", ", settings.members()));
        } else {
            LOG.info("Member {} of cluster '{}' is up, {} in all", address, cluster, size);
        }
    }
}
