package io.ratelimit.server.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ratelimit.server.listen.ServerStartException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnixSocketTest {

    @TempDir
    private Path directory;

    private Path path;
    private UnixSocket socket;
    private ServerSocketChannel channel;

    @BeforeEach
    void name() throws IOException {
        path = directory.resolve("daemon.sock");
        socket = new UnixSocket(path);
        channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    }

    @AfterEach
    void close() throws IOException {
        channel.close();
    }

    private void show() throws IOException {
        channel.bind(UnixDomainSocketAddress.of(socket.hide()));
        socket.show();
    }

    @Test
    void nobodyElseReachesItBeforeItIsGuarded() throws Exception {
        Path hidden = socket.hide();
        channel.bind(UnixDomainSocketAddress.of(hidden));

        assertThat(path).doesNotExist();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(hidden.getParent())))
                .isEqualTo("rwx------");

        socket.show();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                .isEqualTo("rw-rw----");
        assertThat(files()).containsExactly(path);
    }

    private Stream<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList().stream();
        }
    }

    @Test
    void leavesNothing() throws Exception {
        show();
        socket.remove();

        assertThat(files()).isEmpty();
    }

    @Test
    void oneThatWasNeverShownLeavesNothingAsWell() throws Exception {
        channel.bind(UnixDomainSocketAddress.of(socket.hide()));
        socket.remove();

        assertThat(files()).isEmpty();
    }

    @Test
    void theSocketOfASuccessorIsLeftAlone() throws Exception {
        show();
        Files.delete(path);
        try (ServerSocketChannel other = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            UnixSocket successor = new UnixSocket(path);
            other.bind(UnixDomainSocketAddress.of(successor.hide()));
            successor.show();

            socket.remove();

            assertThat(files()).containsExactly(path);
        }
    }

    @Test
    void isNotPutInThePlaceOfAnotherThatHasComeMeanwhile() throws Exception {
        channel.bind(UnixDomainSocketAddress.of(socket.hide()));
        try (ServerSocketChannel other = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            other.bind(UnixDomainSocketAddress.of(path));

            assertThatThrownBy(socket::show)
                    .isInstanceOf(ServerStartException.class)
                    .hasMessageContaining("another process listens there");
        }
    }

    @Test
    void aDirectoryWithoutRoomForItsNameIsRefusedBeforeAnythingIsMade() {
        Path deep = directory;
        while (deep.toString().length() < 97) {
            deep = deep.resolve("d");
        }
        UnixSocket tooDeep = new UnixSocket(deep.resolve("s"));

        assertThatThrownBy(tooDeep::clear).hasMessageContaining("is longer than 107 bytes; name a shorter one");
    }
}
