package io.ratelimit.server.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Writing answers to clients that do not read them. */
class UnblockedWritesTest {

    /** More than sockets hold. */
    private static final int PIECES = 400;

    private static final int PIECE = 50_000;
    private static final long AMPLE = 2L * PIECES * PIECE;

    private final CountDownLatch written = new CountDownLatch(1);
    private UnblockedWrites writes;
    private final Server server = new Server();
    private final ServerConnector connector = new ServerConnector(server);

    private void start(long room) throws Exception {
        connector.setHost("127.0.0.1");
        connector.setIdleTimeout(1_000);
        server.addConnector(connector);
        writes = new UnblockedWrites(
                new Handler.Abstract() {
                    @Override
                    public boolean handle(Request request, Response response, Callback callback) throws Exception {
                        ByteBuffer piece = ByteBuffer.allocate(PIECE);
                        for (int i = 0; i < PIECES; i++) {
                            // The buffer is used again once it is empty, as those of servlets are.
                            Arrays.fill(piece.array(), piece(i));
                            Content.Sink.write(response, i == PIECES - 1, piece);
                            assertThat(piece.hasRemaining()).isFalse();
                            piece.clear();
                        }
                        written.countDown();
                        callback.succeeded();
                        return true;
                    }
                },
                room);
        server.setHandler(writes);
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    private Socket ask() throws IOException {
        Socket socket = new Socket("127.0.0.1", connector.getLocalPort());
        socket.getOutputStream().write("GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static byte piece(int number) {
        return (byte) ('a' + number % 26);
    }

    @Test
    void doesNotWaitForWhoeverReadsAndLosesNothing() throws Exception {
        start(AMPLE);
        try (Socket socket = ask()) {
            assertThat(written.await(900, TimeUnit.MILLISECONDS)).isTrue();

            assertIsWhole(socket);
        }
    }

    private void assertIsWhole(Socket socket) throws IOException {
        String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        String body = answer.substring(answer.indexOf("\r\n\r\n") + 4);
        assertThat(body).hasSize(PIECES * PIECE);
        assertThat(IntStream.range(0, body.length())).allMatch(place -> body.charAt(place) == piece(place / PIECE));
    }

    @Test
    void endsTheConnectionOfWhoeverDoesNotReadAtAll() throws Exception {
        start(AMPLE);
        try (Socket socket = ask()) {
            assertThat(written.await(900, TimeUnit.MILLISECONDS)).isTrue();
            assertThat(connector.getConnectedEndPoints()).hasSize(1);

            await().untilAsserted(
                            () -> assertThat(connector.getConnectedEndPoints()).isEmpty());
            assertThat(writes.isIdle()).isTrue();
        }
    }

    @Test
    void keepsNoMoreThanThereIsRoomForAndLosesNothingEither() throws Exception {
        start(10 * PIECE);
        try (Socket socket = ask()) {
            assertThat(written.await(500, TimeUnit.MILLISECONDS)).isFalse();

            assertIsWhole(socket);
            await().untilAsserted(() -> assertThat(writes.isIdle()).isTrue());
        }
    }
}
