package io.ratelimit.jgroups;

import io.ratelimit.store.HostGroup;
import java.util.List;
import java.util.UUID;

/** The hosts of a group, one by one. Thread-safe. */
final class ChannelHosts implements HostGroup {

    private final GroupChannel channel;
    private final Topology topology;

    ChannelHosts(GroupChannel channel, Topology topology) {
        this.channel = channel;
        this.topology = topology;
    }

    @Override
    public Topology topology() {
        return topology;
    }

    @Override
    public UUID self() {
        return channel.self();
    }

    @Override
    public List<UUID> members() {
        return channel.members();
    }

    @Override
    public void send(UUID host, byte[] message) {
        channel.tell(host, message);
    }

    @Override
    public int mostBytes() {
        return GroupChannel.MOST_BYTES;
    }
}
