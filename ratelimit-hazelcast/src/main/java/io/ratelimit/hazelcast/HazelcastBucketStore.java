package io.ratelimit.hazelcast;

import com.hazelcast.cluster.Member;
import com.hazelcast.cluster.MembershipEvent;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleEvent.LifecycleState;
import com.hazelcast.map.IMap;
import com.hazelcast.partition.PartitionService;
import io.ratelimit.ClientIdentifier;
import io.ratelimit.TimeSource;
import io.ratelimit.core.entry.ChargeRouter;
import io.ratelimit.core.thread.DaemonThreads;
import io.ratelimit.core.thread.PassingThread;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import io.ratelimit.store.MessageBroadcaster;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import io.ratelimit.store.StoreException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Buckets that all hosts of a service share on a Hazelcast cluster. Each decision is made where the client's buckets
 * live, by that member's clock, so the limits hold for all hosts together. All rules of a request that tell clients
 * apart alike cost one hop together. Thread-safe.
 *
 * <p>Backups are written asynchronously, so that a slow member does not hold up the others: when a member dies, the
 * charges of the last instant before may be forgotten. After a split, buckets go on with the fewer tokens of the sides.
 */
public final class HazelcastBucketStore implements BucketStore {

    /** The map that holds the buckets. */
    static final String MAP = "ratelimit.buckets";

    private static final Logger LOG = LoggerFactory.getLogger(HazelcastBucketStore.class);

    private static final long FAREWELL_MILLIS = 500;

    private final HazelcastInstance instance;
    private final boolean owned;
    private final MemberContext context;
    private final ClusterSecret secret;
    private final ChargeRouter router;
    private final DaemonThreads senders = new DaemonThreads("ratelimit-sender");
    private final ExecutorService sender = Executors.newSingleThreadExecutor(senders);
    private final EntrySweep sweep;
    private final TopicBroadcaster broadcaster;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final UUID lifecycleListener;
    private final @Nullable UUID membershipListener;
    private final boolean isMember;
    private volatile int members;

    /**
     * Keeps buckets on an instance that the application runs, a member or a client. This library and what it stands on
     * must be on the class path of every member. The instance stays the application's to shut down.
     *
     * @param instance the running instance
     * @param clusterSecret the secret under which clients' keys are hashed, the same on all hosts; null for one that
     *     the cluster makes
     * @param timeSource the host's clocks; the first store on an instance says what its buckets refill by
     * @throws StoreException if the members do not know how to read buckets, or the instance does not answer
     */
    public HazelcastBucketStore(HazelcastInstance instance, @Nullable String clusterSecret, TimeSource timeSource) {
        this(configured(instance), clusterSecret, timeSource, false);
        try {
            new Probe(this, instance).askEveryMember();
        } catch (RuntimeException | Error e) {
            // Nobody gets a store to close: the application's instance must not go on telling it news.
            close();
            throw e;
        }
    }

    HazelcastBucketStore(
            HazelcastInstance instance, @Nullable String clusterSecret, TimeSource timeSource, boolean owned) {
        this.instance = instance;
        this.owned = owned;
        this.context = MemberContext.of(instance, timeSource);
        this.secret = new ClusterSecret(instance, clusterSecret);
        PartitionService partitions = instance.getPartitionService();
        OwnerBreakers breakers = new OwnerBreakers(partitions);
        IMap<UUID, ClientBuckets> map = instance.getMap(MAP);
        EntryCalls owners = new EntryCalls(map, breakers);
        this.router = new ChargeRouter(owners, timeSource, sender);
        this.lifecycleListener = instance.getLifecycleService().addLifecycleListener(event -> {
            LifecycleState state = event.getState();
            if (state == LifecycleState.MERGED
                    || state == LifecycleState.CLIENT_CONNECTED
                    || state == LifecycleState.CLIENT_CHANGED_CLUSTER) {
                agreeOnSecretSoon();
            }
        });
        this.membershipListener = instance.getCluster().addMembershipListener(new MembershipNews(event -> {
            members = event.getMembers().size();
            if (event.getEventType() == MembershipEvent.MEMBER_REMOVED) {
                breakers.forget(event.getMember());
                agreeOnSecretSoon();
            }
        }));
        this.broadcaster = new TopicBroadcaster(instance.getTopic(TopicBroadcaster.TOPIC), secret, this::hosts);
        this.members = instance.getCluster().getMembers().size();
        this.isMember = instance.getLocalEndpoint() instanceof Member;
        this.sweep = new EntrySweep(isMember ? new OwnSweep(map, owners) : new ClusterSweep(instance, partitions));
        context.enter();
        sweep.begin();
    }

    @Override
    public CompletionStage<SpendOutcome> spend(List<Charge> charges, Duration timeout) {
        return router.spend(charges, secret.keys(), timeout);
    }

    @Override
    public CompletionStage<Void> refund(Receipt receipt, long tokens) {
        return router.refund(receipt, tokens);
    }

    @Override
    public CompletionStage<Void> undo(Receipt receipt, long tokens) {
        return router.undo(receipt, tokens);
    }

    /**
     * How many hosts share the buckets: as many as the cluster has members, or more where several stores use one. A
     * Hazelcast client does not know.
     */
    @Override
    public int hosts() {
        return isMember ? members * context.stores() : 0;
    }

    @Override
    public MessageBroadcaster broadcaster() {
        return broadcaster;
    }

    @Override
    public void warmUp() throws InterruptedException {
        PassingThread.run(new Probe(this, instance)::warmUp);
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted while the members were warmed up");
        }
    }

    /**
     * Shuts down a member that this store has started, handing its buckets over to the others first, which takes at
     * most some seconds. Leaves an instance that was handed in.
     */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        context.leave();
        sweep.close();
        if (owned) {
            PassingThread.run(instance::shutdown);
        } else if (instance.getLifecycleService().isRunning()) {
            PassingThread.run(this::hearNoMore);
        }
        sender.shutdown();
        try {
            senders.awaitEnd(TimeUnit.MILLISECONDS.toNanos(FAREWELL_MILLIS));
            sweep.awaitEnd(FAREWELL_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void hearNoMore() {
        broadcaster.close();
        instance.getLifecycleService().removeLifecycleListener(lifecycleListener);
        instance.getCluster().removeMembershipListener(membershipListener);
    }

    /**
     * Where this host takes part in the cluster.
     *
     * @return host and port, such as {@code 127.0.0.1:5701}
     */
    public String memberAddress() {
        return instance.getLocalEndpoint().getSocketAddress() instanceof InetSocketAddress address
                ? MemberSettings.hostAndPort(address.getAddress().getHostAddress(), address.getPort())
                : "unknown";
    }

    UUID keyOf(String service, ClientIdentifier client) {
        return secret.keys().keyOf(service, client);
    }

    /** Off Hazelcast's threads, which must not wait for an answer of Hazelcast. */
    private void agreeOnSecretSoon() {
        CompletableFuture.runAsync(secret::agree).exceptionally(failure -> {
            LOG.debug("The cluster's secret could not be read again", failure);
            return null;
        });
    }

    /** Has the maps of the buckets configured on all members, whoever they belong to. */
    static HazelcastInstance configured(HazelcastInstance instance) {
        try {
            instance.getConfig().addMapConfig(EmbeddedMember.bucketsConfig());
            instance.getConfig().addMapConfig(EmbeddedMember.secretConfig());
        } catch (RuntimeException e) {
            throw new StoreException(
                    "store-error",
                    "the Hazelcast instance '" + instance.getName() + "' does not take the configuration of the map "
                            + MAP + ": leave that map out of its own configuration (" + e.getMessage() + ")");
        }
        return instance;
    }

    /** The name of a member in a message. */
    static String nameOf(Member member) {
        return MemberSettings.hostAndPort(
                member.getAddress().getHost(), member.getAddress().getPort());
    }
}
