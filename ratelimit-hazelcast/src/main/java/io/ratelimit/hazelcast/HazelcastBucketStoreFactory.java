package io.ratelimit.hazelcast;

import com.hazelcast.core.HazelcastInstance;
import io.ratelimit.TimeSource;
import io.ratelimit.core.thread.PassingThread;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.BucketStoreFactory;
import io.ratelimit.store.StoreException;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Makes stores on an embedded Hazelcast member, or on a client. Settings:
 *
 * <ul>
 *   <li>{@code cluster}: the cluster's name, {@code ratelimit} by default
 *   <li>{@code members}: where other members are, {@code HOST:PORT} or {@code HOST} with commas between them; by
 *       default ten ports of the member's own address
 *   <li>{@code memberPort}: the first port to try, 5701 by default; taken ports are passed over, ten in all. It
 *       lets members in, no Hazelcast clients
 *   <li>{@code memberAddress}: the address of this host to bind and to be known by; 127.0.0.1 by default, which no
 *       other host can reach
 *   <li>{@code clusterSecret}: the secret under which clients' keys are hashed, the same on all members; by default
 *       the first member makes one
 *   <li>{@code hazelcastConfig}: a file with Hazelcast's own configuration of a member, as {@code classpath:NAME} or a
 *       path, in place of {@code members}, {@code memberPort} and {@code memberAddress}
 *   <li>{@code hazelcastClientConfig}: one of a client, where the members run elsewhere
 * </ul>
 */
public final class HazelcastBucketStoreFactory implements BucketStoreFactory {

    /** Made by {@link java.util.ServiceLoader}. */
    public HazelcastBucketStoreFactory() {}

    @Override
    public Set<String> settings() {
        return new TreeSet<>(MemberSettings.NAMES);
    }

    @Override
    public boolean broadcasts() {
        return true;
    }

    @Override
    public BucketStore create(Map<String, String> settings, TimeSource timeSource) {
        MemberSettings parsed = MemberSettings.parse(settings);
        return PassingThread.call(() -> store(parsed, timeSource));
    }

    private static HazelcastBucketStore store(MemberSettings settings, TimeSource timeSource) {
        HazelcastInstance instance = start(settings);
        try {
            return new HazelcastBucketStore(instance, settings.clusterSecret(), timeSource, true);
        } catch (StoreException | Error e) {
            instance.getLifecycleService().terminate();
            throw e;
        } catch (RuntimeException e) {
            instance.getLifecycleService().terminate();
            throw new StoreException("store-error", String.valueOf(e.getMessage()));
        }
    }

    private static HazelcastInstance start(MemberSettings settings) {
        ConfigurationFile file = settings.configuration();
        return file != null && file.isClient()
                ? HazelcastBucketStore.configured(new OwnClient(settings, file).start())
                : new EmbeddedMember(settings).start();
    }
}
