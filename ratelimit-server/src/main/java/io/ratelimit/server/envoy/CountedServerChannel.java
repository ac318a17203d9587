package io.ratelimit.server.envoy;

import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import java.util.List;

/** Accepts connections, and closes at once those that are too many. */
final class CountedServerChannel extends NioServerSocketChannel {

    private final OpenConnections open;

    CountedServerChannel(OpenConnections open) {
        this.open = open;
    }

    @Override
    protected int doReadMessages(List<Object> accepted) throws Exception {
        int before = accepted.size();
        int read = super.doReadMessages(accepted);
        for (int i = accepted.size() - 1; i >= before; i--) {
            if (!isKept(accepted.get(i))) {
                accepted.remove(i);
            }
        }
        return read;
    }

    private boolean isKept(Object accepted) {
        if (!(accepted instanceof Channel connection)) {
            return true;
        }
        if (!open.enter(connection)) {
            // No event loop has it yet, which closing it in the usual way would wait for.
            connection.unsafe().closeForcibly();
            return false;
        }
        return true;
    }
}
