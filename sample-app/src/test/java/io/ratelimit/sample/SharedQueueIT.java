package io.ratelimit.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One client with a hundred requests in line at each of three nodes, and a new one for each that is answered. */
@Tag("cluster")
class SharedQueueIT {

    private static final int NODES = 3;
    private static final int WAITING = 100;
    private static final int RATE = 60;
    private static final Duration MEASURED = Duration.ofSeconds(20);

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(20))
            .build();
    private final Queue<Served> answers = new ConcurrentLinkedQueue<>();
    private volatile boolean ended;
    private long begun;

    @TempDir
    private Path directory;

    private record Served(int node, int status, long nanos) {}

    @Test
    void threeNodesShareTheRateOfALineEvenlyAndNeverExceedIt() throws Exception {
        RulesFile rules = new RulesFile(
                directory,
                "- { name: line, match: { path: /api/orders/** }, limits: " + RATE
                        + "/s burst 1, storeTimeout: 5s, onExceeded: { queue: " + WAITING + ", maxWait: 20s } }");
        try (SampleProcess sample = SampleProcess.start(
                        "--nodes",
                        "" + NODES,
                        "--port",
                        "" + FreePorts.consecutive(NODES),
                        "--member-port",
                        "" + FreePorts.consecutive(NODES),
                        "--rules",
                        rules.toString())
                .awaitReady()) {
            begun = System.nanoTime();
            for (int i = 0; i < WAITING; i++) {
                for (int node = 0; node < NODES; node++) {
                    send(sample.urls(), node);
                }
            }
            // Those who came first have all had their turn.
            await().atMost(Duration.ofMinutes(1)).until(() -> answers.size() >= NODES * WAITING);
            Thread.sleep(MEASURED.toMillis());
            ended = true;
        }
        judge();
    }

    private void send(List<String> urls, int node) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(urls.get(node) + "/api/orders"))
                .header("X-Api-Key", "client")
                .timeout(Duration.ofMinutes(1))
                .build();
        var unused = http.sendAsync(request, HttpResponse.BodyHandlers.ofString())
                .thenAccept(answer -> {
                    answers.add(new Served(node, answer.statusCode(), System.nanoTime()));
                    if (!ended) {
                        send(urls, node);
                    }
                });
    }

    private void judge() {
        List<Served> served = List.copyOf(answers);
        assertThat(served).extracting(Served::status).containsOnly(200);
        List<Served> measured = served.subList(NODES * WAITING, served.size());
        Figures figures = new Figures("shared-queue");
        for (int node = 0; node < NODES; node++) {
            int at = node;
            double share =
                    100.0 * measured.stream().filter(each -> each.node() == at).count() / measured.size();
            figures.add(String.format(Locale.ROOT, "node %d: %.1f %% of %d requests", node, share, measured.size()));
            assertThat(share).isBetween(33.3 - 5, 33.3 + 5);
        }
        assertThatNoneWasServedBeforeItsTurn(served, figures);
    }

    /** An answer comes after its request began, so that what has come by any moment is never more than what had refilled. */
    private void assertThatNoneWasServedBeforeItsTurn(List<Served> served, Figures figures) {
        double idle = 0;
        for (int i = 0; i < served.size(); i++) {
            double refilled = 1 + RATE * (served.get(i).nanos() - begun) / 1e9;
            assertThat(i + 1.0).isLessThanOrEqualTo(refilled);
            idle = refilled - (i + 1);
        }
        figures.add(String.format(
                Locale.ROOT, "%d served since the first came, %.1f tokens were left", served.size(), idle));
        assertThat(idle).isLessThan(RATE);
    }
}
