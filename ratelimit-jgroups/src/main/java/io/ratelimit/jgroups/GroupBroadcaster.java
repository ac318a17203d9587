package io.ratelimit.jgroups;

import io.ratelimit.store.HostGroup;
import io.ratelimit.store.MessageBroadcaster;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Messages to the other hosts of a group. Thread-safe. */
final class GroupBroadcaster implements MessageBroadcaster {

    private final GroupChannel channel;
    private final byte[] secret;
    private final @Nullable HostGroup group;

    /**
     * Tells hosts of a group.
     *
     * @param channel closed with this
     * @param secret under which clients' names are hashed
     * @param topology who tells whom; null for everyone
     */
    GroupBroadcaster(GroupChannel channel, byte[] secret, HostGroup.@Nullable Topology topology) {
        this.channel = channel;
        this.secret = secret.clone();
        this.group = topology == null ? null : new ChannelHosts(channel, topology);
    }

    @Override
    public void broadcast(byte[] message) {
        channel.tell(null, message);
    }

    @Override
    public void listen(Consumer<byte[]> listener) {
        channel.listen(listener);
    }

    @Override
    public byte[] secret() {
        return secret;
    }

    @Override
    public int hosts() {
        return Math.max(1, channel.members().size());
    }

    @Override
    public @Nullable HostGroup group() {
        return group;
    }

    /** Over a network that loses some, a message of many datagrams is lost with any of them. */
    @Override
    public int mostBroadcastBytes() {
        return GroupChannel.MOST_BYTES;
    }

    @Override
    public void close() {
        channel.close();
    }
}
