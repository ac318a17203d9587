package io.ratelimit.jgroups;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.wire.SharedSecret;
import io.ratelimit.store.HostGroup;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jgroups.Address;
import org.jgroups.JChannel;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.SHARED_LOOPBACK;
import org.junit.jupiter.api.Test;

/** What a network sees. */
class DatagramTest {

    private static final int MOST_BYTES = 1_400;

    /** A transport that notes how long datagrams are before they are sealed. */
    private static final class Measured extends SHARED_LOOPBACK {

        private final List<Integer> lengths = new CopyOnWriteArrayList<>();

        Measured() {
            setId(ClassConfigurator.getProtocolId(SHARED_LOOPBACK.class));
        }

        @Override
        public void doSend(byte[] data, int offset, int length, Address to) throws Exception {
            lengths.add(length);
            super.doSend(data, offset, length, to);
        }
    }

    @Test
    void aSealedMessageOfFullLengthFitsIntoOne() throws Exception {
        Measured transport = new Measured();
        String cluster = "a-group-with-a-long-name-as-some-have-them";
        GroupSettings settings = GroupSettings.parse(Map.of("transport", "udp", "topology", "gossip"));
        Greeting greeting = Greeting.of(settings.topology(), SharedSecret.of("x"));
        try (GroupChannel channel = GroupChannel.join(new JChannel(transport), cluster, greeting)) {
            HostGroup hosts = new ChannelHosts(channel, HostGroup.Topology.GOSSIP);
            transport.lengths.clear();
            hosts.send(UUID.randomUUID(), new byte[hosts.mostBytes()]);
        }
        assertThat(transport.lengths)
                .isNotEmpty()
                .allSatisfy(length -> assertThat(length + Seal.OVERHEAD).isBetween(MOST_BYTES - 100, MOST_BYTES));
    }
}
