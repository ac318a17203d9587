package io.ratelimit.jgroups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ratelimit.TimeSource;
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
import org.jgroups.protocols.TP;
import org.junit.jupiter.api.Test;

/** What a network sees. */
class DatagramTest {

    private static final int MOST_BYTES = 1_400;
    private static final int MESSAGES = 50;

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

    private static String bundlerOf(GroupSettings settings) {
        return ((TP) new GroupStack(settings, TimeSource.system()).protocols().get(0)).getBundlerType();
    }

    @Test
    void eachSealedMessageOfFullLengthHasOneToItself() throws Exception {
        Measured transport = new Measured();
        GroupSettings settings = GroupSettings.parse(Map.of("transport", "udp", "topology", "gossip"));
        transport.setBundlerType(bundlerOf(settings));
        String cluster = "a-group-with-a-long-name-as-some-have-them";
        Greeting greeting = Greeting.of(settings.topology(), SharedSecret.of("x"));
        try (GroupChannel channel = GroupChannel.join(new JChannel(transport), cluster, greeting, false)) {
            HostGroup hosts = new ChannelHosts(channel, HostGroup.Topology.GOSSIP);
            transport.lengths.clear();
            UUID other = UUID.randomUUID();
            for (int i = 0; i < MESSAGES; i++) {
                hosts.send(other, new byte[hosts.mostBytes()]);
            }
            await().until(() -> transport.lengths.size() >= MESSAGES);
        }
        assertThat(transport.lengths)
                .hasSize(MESSAGES)
                .allSatisfy(length -> assertThat(length + Seal.OVERHEAD).isBetween(MOST_BYTES - 100, MOST_BYTES));
    }
}
