package io.ratelimit.jgroups;

import io.ratelimit.TimeSource;
import io.ratelimit.core.wire.SharedSecret;
import java.util.List;
import org.jgroups.protocols.BasicTCP;
import org.jgroups.protocols.FD_ALL3;
import org.jgroups.protocols.FRAG2;
import org.jgroups.protocols.MERGE3;
import org.jgroups.protocols.TCP;
import org.jgroups.protocols.TP;
import org.jgroups.protocols.UDP;
import org.jgroups.protocols.UNICAST3;
import org.jgroups.protocols.VERIFY_SUSPECT2;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.protocols.pbcast.NAKACK2;
import org.jgroups.protocols.pbcast.STABLE;
import org.jgroups.stack.Protocol;

/** JGroups' protocols for a group, one upon the other. */
final class GroupStack {

    private static final long HEARTBEAT_MILLIS = 500;

    /**
     * A host that is frozen leaves those alone that it leads, for as long as nobody has noticed; a pause of garbage collection
     * is to pass unnoticed.
     */
    private static final long SILENCE_MILLIS = 3_000;

    private static final long VERIFYING_MILLIS = 500;
    private static final long MERGING_LEAST_MILLIS = 1_000;
    private static final long MERGING_MOST_MILLIS = 3_000;

    /** How long the first of all hosts waits for others before it begins alone. */
    private static final long JOINING_MILLIS = 1_000;

    private static final long LEAVING_MILLIS = 500;
    private static final int HELLO_MILLIS = 250;

    /** What Linux gives to everyone; JGroups asks for more, and warns where it gets less. */
    private static final int BUFFERED_BYTES = 212_992;

    private final GroupSettings settings;
    private final TimeSource timeSource;

    GroupStack(GroupSettings settings, TimeSource timeSource) {
        this.settings = settings;
        this.timeSource = timeSource;
    }

    /** From the network up. */
    List<Protocol> protocols() {
        return List.of(
                transport(),
                settings.search().protocol(),
                new MERGE3().setMinInterval(MERGING_LEAST_MILLIS).setMaxInterval(MERGING_MOST_MILLIS),
                new FD_ALL3().setInterval(HEARTBEAT_MILLIS).setTimeout(SILENCE_MILLIS),
                new VERIFY_SUSPECT2().setTimeout(VERIFYING_MILLIS),
                new NAKACK2().useMcastXmit(settings.search().multicasts()),
                new UNICAST3(),
                new STABLE(),
                new GMS()
                        .printLocalAddress(false)
                        .setJoinTimeout(JOINING_MILLIS)
                        .setLeaveTimeout(LEAVING_MILLIS),
                new FRAG2());
    }

    private TP transport() {
        TP transport = settings.transport().isUdp() ? udp() : tcp();
        transport
                .setBindAddress(settings.memberAddress())
                .setBindPort(settings.memberPort())
                .setPortRange(GroupSettings.PORTS - 1)
                .setLogDiscardMessages(false)
                .setLogDiscardMessagesVersion(false)
                .disableDiagnostics();
        return transport;
    }

    private UDP udp() {
        SharedSecret secret = settings.clusterSecret();
        UDP udp = secret == null ? new UDP() : new SealedUdp(gate(secret));
        // Each message is a datagram of its own. Put together, they are lost together.
        udp.setBundlerType("no-bundler");
        udp.setMulticasting(false);
        udp.setUcastRecvBufSize(BUFFERED_BYTES).setMcastRecvBufSize(BUFFERED_BYTES);
        udp.setUcastSendBufSize(BUFFERED_BYTES).setMcastSendBufSize(BUFFERED_BYTES);
        if (settings.search() instanceof MulticastSearch multicast) {
            udp.setMulticasting(true);
            udp.setMulticastAddress(multicast.group()).setMulticastPort(multicast.port());
        }
        return udp;
    }

    private BasicTCP tcp() {
        SharedSecret secret = settings.clusterSecret();
        BasicTCP tcp = secret == null ? new TCP() : new SealedTcp(gate(secret));
        // While one who connects does not say who he is, nobody else can.
        return tcp.setMaxLength(SealedTcp.LONGEST).setPeerAddrReadTimeout(HELLO_MILLIS);
    }

    private Gate gate(SharedSecret secret) {
        return new Gate(new Seal(secret.bytes(), settings.cluster()), timeSource);
    }
}
