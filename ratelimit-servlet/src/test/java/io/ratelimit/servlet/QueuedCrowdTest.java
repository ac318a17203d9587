package io.ratelimit.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A crowd of requests in one line. */
@Tag("cluster")
class QueuedCrowdTest {

    private static final Logger LOG = LoggerFactory.getLogger(QueuedCrowdTest.class);

    private static final int CROWD = 300;
    private static final int BURST = 5;

    private static final Queue<Integer> ORDER = new ConcurrentLinkedQueue<>();
    private static final Queue<Long> STARTS = new ConcurrentLinkedQueue<>();

    @TempDir
    Path directory;

    /** Writes down who starts when. */
    public static final class Application extends HttpServlet {

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) {
            STARTS.add(System.nanoTime());
            ORDER.add(Integer.valueOf(request.getQueryString()));
        }
    }

    @Test
    void threeHundredRequestsStartOneAfterTheOtherInJetty() throws Exception {
        startsOneAfterTheOther(new JettyEe11());
    }

    @Test
    void threeHundredRequestsStartOneAfterTheOtherInTomcat() throws Exception {
        startsOneAfterTheOther(new EmbeddedTomcat());
    }

    private void startsOneAfterTheOther(WebContainer container) throws Exception {
        ORDER.clear();
        STARTS.clear();
        WebApplication application = new WebApplication(directory);
        String rules = application.rules("""
                clients: ["header:X-Client", ip]
                rules:
                  - { name: slow, limits: [10/s burst 5], onExceeded: { queue: 300, maxWait: 1m } }
                """);
        application
                .otherFilter("entrance", Entrance.class)
                .filter("limit", "rules", rules, "lastFilter", "true")
                .mapFilter("limit", "/*")
                .servlet(Application.class, "/");
        List<Socket> clients = new ArrayList<>();
        try (container) {
            int port = container.start(application);
            // The connections, and what is loaded for the first request, are no part of the wait.
            for (int i = 0; i < CROWD; i++) {
                clients.add(new Socket("127.0.0.1", port));
            }
            assertThat(new RawClient(port).get("/?-1", "X-Client: other").status())
                    .isEqualTo(200);
            ORDER.clear();
            STARTS.clear();
            int threadsBefore = Thread.activeCount();
            for (int i = 0; i < CROWD; i++) {
                send(clients.get(i), i);
            }
            int threadsMeanwhile = Thread.activeCount();
            long begun = System.nanoTime();
            assertThat(new RawClient(port).get("/?-1", "X-Client: other").status())
                    .isEqualTo(200);
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofMillis(500));
            assertThat(threadsMeanwhile).isLessThan(threadsBefore + 10);
            for (Socket client : clients) {
                client.setSoTimeout(60_000);
                byte[] answer = client.getInputStream().readNBytes(12);
                assertThat(new String(answer, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 200");
            }
        } finally {
            for (Socket client : clients) {
                client.close();
            }
        }
        judge();
    }

    /** Sends a request, and waits until it has its place. */
    private static void send(Socket client, int number) throws IOException {
        int before = Entrance.DECIDED.get();
        String request = "GET /?" + number + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
        client.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        await().pollInterval(Duration.ofMillis(1)).until(() -> Entrance.DECIDED.get() > before);
    }

    private static void judge() {
        List<Integer> order = new ArrayList<>(ORDER);
        List<Long> starts = new ArrayList<>(STARTS);
        int other = order.indexOf(-1);
        order.remove(other);
        starts.remove(other);
        assertThat(order).doesNotHaveDuplicates().hasSize(CROWD);
        long overtaken = IntStream.range(1, CROWD)
                .filter(i -> order.get(i) < order.get(i - 1))
                .count();
        // The container's threads may run two of them the other way round, if one is held up for a whole turn.
        assertThat(overtaken).isLessThan(CROWD / 20);
        List<Long> pauses = new ArrayList<>();
        for (int i = BURST + 1; i < CROWD; i++) {
            pauses.add(Duration.ofNanos(starts.get(i) - starts.get(i - 1)).toMillis());
        }
        long late = pauses.stream().filter(pause -> pause < 80 || pause > 120).count();
        LOG.info(
                "Overtaken {} of {}, pauses: least {} ms, most {} ms, beyond 100 ± 20 ms {} of {}",
                overtaken,
                CROWD,
                pauses.stream().min(Long::compare).orElseThrow(),
                pauses.stream().max(Long::compare).orElseThrow(),
                late,
                pauses.size());
        // Twenty milliseconds are a promise for a machine that does nothing else.
        assertThat(late).isLessThan(pauses.size() / 20);
    }
}
