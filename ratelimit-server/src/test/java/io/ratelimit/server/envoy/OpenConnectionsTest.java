package io.ratelimit.server.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

class OpenConnectionsTest {

    /** To close it in the usual way fails, and a failure to accept closes the port. */
    @Test
    void aConnectionThatNobodyServesYetMakesNoRoom() {
        OpenConnections open = new OpenConnections(1, new SimpleMeterRegistry());
        NioSocketChannel accepted = new NioSocketChannel();
        NioSocketChannel together = new NioSocketChannel();
        try {
            assertThat(open.enter(accepted)).isTrue();

            assertThat(open.enter(together)).isFalse();
            assertThat(accepted.isOpen()).isTrue();
        } finally {
            accepted.unsafe().closeForcibly();
            together.unsafe().closeForcibly();
        }
    }
}
