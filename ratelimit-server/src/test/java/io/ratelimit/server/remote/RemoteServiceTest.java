package io.ratelimit.server.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ratelimit.server.rules.ServiceName;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Services that are slow, or answer strange things; some of it waits as long as users would. */
@Tag("cluster")
class RemoteServiceTest {

    private static final ServiceName ORDERS = new ServiceName("orders");
    private static final BearerToken TOKEN = new BearerToken("rlt_x");
    private static final String HEAD = "HTTP/1.1 200 OK\r\nContent-Type: application/yaml\r\nETag: \"1-3fb2c1d0\"\r\n";

    private ServerSocket server;

    interface Behaviour {
        void answer(OutputStream out) throws IOException, InterruptedException;
    }

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    @Test
    void aServiceThatNeverAnswersIsGivenUp() {
        behave(out -> Thread.sleep(Duration.ofMinutes(1).toMillis()));

        assertThatThrownBy(() -> service().inForce(ORDERS))
                .isInstanceOf(ServiceAwayException.class)
                .hasMessageContaining("no answer within 1 s");
    }

    @Test
    void aServiceWhoseBodyDripsIsGivenUp() {
        behave(out -> {
            out.write((HEAD + "Content-Length: 1000000\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            while (true) {
                out.write('#');
                out.flush();
                Thread.sleep(50);
            }
        });

        assertThatThrownBy(() -> service().inForce(ORDERS)).hasMessageContaining("no answer within 1 s");
    }

    @Test
    void anEndlessBodyIsNotTakenIntoMemory() {
        behave(out -> {
            out.write((HEAD + "Transfer-Encoding: chunked\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            byte[] chunk = ("10000\r\n" + "#".repeat(0x10000) + "\r\n").getBytes(StandardCharsets.US_ASCII);
            while (true) {
                out.write(chunk);
            }
        });

        assertThatThrownBy(() -> new RemoteService(uri(), TOKEN).inForce(ORDERS))
                .isInstanceOf(ServiceAwayException.class)
                .hasMessageContaining("the answer has more than 16777216 bytes");
    }

    @Test
    void aBodyThatIsCutIsNotTakenForTheWhole() {
        behave(out -> out.write(
                (HEAD + "Content-Length: 1000\r\n\r\nservice: orders\n").getBytes(StandardCharsets.US_ASCII)));

        assertThatThrownBy(() -> service().inForce(ORDERS)).isInstanceOf(ServiceAwayException.class);
    }

    @Test
    void aTagThatAProxyMadeWeakIsTheSameTag() throws Exception {
        behave(out -> out.write(
                (HEAD.replace("\"1-", "W/\"1-") + "Content-Length: 2\r\n\r\n{}").getBytes(StandardCharsets.US_ASCII)));

        assertThat(service().inForce(ORDERS)).contains(new RemoteRules(1, "1-3fb2c1d0", "{}"));
    }

    @Test
    void aTokenIsNotShown() {
        assertThat(TOKEN).hasToString("BearerToken");
        assertThatThrownBy(() -> new BearerToken("rlt_a\r\nHost: b")).hasMessageNotContaining("rlt_a");
    }

    private RemoteService service() {
        return new RemoteService(uri(), TOKEN, Duration.ofSeconds(1));
    }

    private URI uri() {
        return URI.create("http://127.0.0.1:" + server.getLocalPort() + "/");
    }

    private void behave(Behaviour behaviour) {
        Thread accepting = new Thread(() -> {
            while (!server.isClosed()) {
                try {
                    Socket socket = server.accept();
                    Thread answering = new Thread(() -> answer(socket, behaviour), "answering");
                    answering.setDaemon(true);
                    answering.start();
                } catch (IOException e) {
                    return;
                }
            }
        });
        accepting.setDaemon(true);
        accepting.start();
    }

    private static void answer(Socket socket, Behaviour behaviour) {
        try (socket) {
            socket.getInputStream().read(new byte[8_192]);
            behaviour.answer(socket.getOutputStream());
        } catch (IOException | InterruptedException e) {
            // The client is gone.
        }
    }
}
