package io.ratelimit.jgroups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.ratelimit.TimeSource;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.Test;

class SealedTcpTest {

    private final SealedTcp tcp =
            new SealedTcp(new Gate(new Seal("secret".getBytes(StandardCharsets.UTF_8), "group"), TimeSource.system()));

    private void receive(int claimed, int sent) throws Exception {
        tcp.receive(UUID.randomUUID(), new DataInputStream(new ByteArrayInputStream(new byte[sent])), claimed);
    }

    @Test
    void aClaimMakesNoRoomForWhatHasNotCome() throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        assertThatThrownBy(() -> receive(SealedTcp.LONGEST, 20)).isInstanceOf(EOFException.class);
        long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
        assertThatThrownBy(() -> receive(SealedTcp.LONGEST, 20)).isInstanceOf(EOFException.class);
        assertThat(threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before)
                .isLessThan(SealedTcp.LONGEST / 2);
    }

    @Test
    void aClaimOfMoreThanAnyMessageHasEndsTheConnection() {
        assertThatThrownBy(() -> receive(SealedTcp.LONGEST + 1, 20))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the longest is " + SealedTcp.LONGEST);
        assertThatThrownBy(() -> receive(-1, 20)).isInstanceOf(IOException.class);
    }
}
