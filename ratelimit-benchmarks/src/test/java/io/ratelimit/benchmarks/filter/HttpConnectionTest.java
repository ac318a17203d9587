package io.ratelimit.benchmarks.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class HttpConnectionTest {

    private static final String HEAD = "HTTP/1.1 200 OK\r\nDate: today\r\n\r\n";
    private static final String ANSWER = HEAD + AnswerServlet.ANSWER;

    @Test
    void readsMoreAnswersThanItsBufferHolds() throws IOException {
        int answers = 4_000;
        try (ServerSocket server = server();
                HttpConnection connection = new HttpConnection(server.getLocalPort())) {
            answer(server, ANSWER.repeat(answers));

            for (int i = 0; i < answers; i += 16) {
                assertThat(connection.receive(16)).isEqualTo(HEAD);
            }
        }
    }

    @Test
    void anythingElseThanTheAnswerIsAnError() throws IOException {
        try (ServerSocket server = server();
                HttpConnection connection = new HttpConnection(server.getLocalPort())) {
            answer(server, ANSWER + ANSWER.replace("200 OK", "429 Too Many Requests"));

            assertThatThrownBy(() -> connection.receive(2))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("429");
        }
    }

    @Test
    void anAnswerThatEndsTooSoonIsAnError() throws IOException {
        try (ServerSocket server = server();
                HttpConnection connection = new HttpConnection(server.getLocalPort())) {
            answer(server, HEAD);

            assertThatThrownBy(() -> connection.receive(1)).isInstanceOf(EOFException.class);
        }
    }

    private static ServerSocket server() throws IOException {
        return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    /** Answers what was not asked, which fits into what the system keeps for a connection. */
    private static void answer(ServerSocket server, String text) throws IOException {
        try (Socket socket = server.accept()) {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        }
    }
}
