package io.ratelimit.hazelcast;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ports around a member's own, where others may be or come. A port that something else holds and never says a word
 * on would keep Hazelcast waiting until it gives the start up, so such ports are left out; closed ones are kept, since
 * a member that starts at the same time may open them.
 */
final class Neighbours {

    private static final Logger LOG = LoggerFactory.getLogger(Neighbours.class);
    private static final int PATIENCE_MILLIS = 1_000;

    /** What members greet each other with. */
    private static final byte[] GREETING = "HZC".getBytes(StandardCharsets.US_ASCII);

    private final MemberSettings settings;

    Neighbours(MemberSettings settings) {
        this.settings = settings;
    }

    List<String> toAsk() {
        List<String> members = new ArrayList<>();
        for (int port = settings.memberPort(); port <= settings.lastPort(); port++) {
            String member = MemberSettings.hostAndPort(settings.memberAddress(), port);
            if (isSilent(port)) {
                LOG.warn("{} is held by something that is no member of a cluster; it is passed over", member);
            } else {
                members.add(member);
            }
        }
        return members;
    }

    private boolean isSilent(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(InetAddress.getByName(settings.memberAddress()), port), PATIENCE_MILLIS);
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.getOutputStream().write(GREETING);
            return socket.getInputStream().read() != GREETING[0];
        } catch (SocketTimeoutException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
