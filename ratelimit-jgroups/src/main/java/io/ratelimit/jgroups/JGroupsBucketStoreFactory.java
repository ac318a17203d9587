package io.ratelimit.jgroups;

import io.ratelimit.TimeSource;
import io.ratelimit.core.wire.SharedSecret;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.BucketStoreFactory;
import io.ratelimit.store.StoreException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jgroups.JChannel;
import org.jgroups.stack.Protocol;

/**
 * Makes hosts of a group that tell one another what was spent, by JGroups. There is no store: rules are shared in the way
 * {@code eventual}, or not at all. Settings:
 *
 * <ul>
 *   <li>{@code transport}: {@code udp}, {@code tcp}, or a file with JGroups' own configuration, as {@code
 *       classpath:NAME.xml} or a path that ends with {@code .xml}; it asks for a group
 *   <li>{@code topology}: {@code mesh} (the default: everyone tells everyone), {@code gossip} or {@code leader}; the same
 *       on all hosts
 *   <li>{@code cluster}: the group's name, {@code ratelimit} by default
 *   <li>{@code members}: where other hosts are: {@code HOST:PORT} or {@code HOST} with commas between them, names standing
 *       for all their addresses; {@code multicast} or {@code multicast:ADDRESS:PORT}, over UDP; {@code file:DIRECTORY};
 *       {@code jdbc:URL}; {@code registry:HOST:PORT}, of JGroups' {@code GossipRouter}. By default ten ports of the host's
 *       own address
 *   <li>{@code memberPort}: the first port to try, 7800 by default; taken ports are passed over, ten in all
 *   <li>{@code memberAddress}: the address of this host to bind and to be known by; 127.0.0.1 by default, which no other
 *       host can reach
 *   <li>{@code clusterSecret}: the secret under which messages are sealed and clients' names hashed, the same on all hosts;
 *       needed unless all of them are on one machine
 * </ul>
 */
public final class JGroupsBucketStoreFactory implements BucketStoreFactory {

    /** Made by {@link java.util.ServiceLoader}. */
    public JGroupsBucketStoreFactory() {}

    @Override
    public Set<String> settings() {
        return new TreeSet<>(GroupSettings.NAMES);
    }

    @Override
    public Set<String> requiredSettings() {
        return Set.of(GroupSettings.TRANSPORT);
    }

    @Override
    public boolean broadcasts() {
        return true;
    }

    @Override
    public boolean onlyBroadcasts() {
        return true;
    }

    @Override
    public BucketStore create(Map<String, String> settings, TimeSource timeSource) {
        GroupSettings parsed = GroupSettings.parse(settings);
        SharedSecret secret = parsed.nameSecret();
        GroupChannel channel = GroupChannel.join(
                channel(parsed, timeSource),
                parsed.cluster(),
                Greeting.of(parsed.topology(), secret),
                settings.containsKey(GroupSettings.MEMBERS));
        return new GroupStore(new GroupBroadcaster(channel, secret.bytes(), parsed.topology()));
    }

    private static JChannel channel(GroupSettings settings, TimeSource timeSource) {
        String configuration = settings.transport().configuration();
        if (configuration != null) {
            return new ConfigurationFile(configuration).channel();
        }
        // A wrong setting is for the application to hear, unlike a port that is taken.
        List<Protocol> protocols = new GroupStack(settings, timeSource).protocols();
        try {
            return new JChannel(protocols);
        } catch (Exception e) {
            throw new StoreException("store-error", String.valueOf(e.getMessage()));
        }
    }
}
