package io.ratelimit.sample;

import static io.ratelimit.sample.Caller.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ratelimit.sample.Caller.Answer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A host with little memory, and a million clients whom nobody has seen before. */
@Tag("cluster")
class FloodedIT {

    private static final int FLOOD = 1_000_000;
    private static final int CONNECTIONS = 4;
    private static final int HONEST = 100;

    private final Caller caller = new Caller();

    @TempDir
    private Path directory;

    @Test
    void aMillionInventedKeysHurtNeitherTheHostNorHonestClients() throws Exception {
        RulesFile rules = new RulesFile(directory, "- { name: hello, match: { path: /hello }, limits: 20 per 20s }");
        try (SampleProcess sample = SampleProcess.start(
                        List.of("-Xmx256m", "-XX:+ExitOnOutOfMemoryError"),
                        "--host-only",
                        "--port",
                        "" + FreePorts.consecutive(1),
                        "--rules",
                        rules.toString())
                .awaitReady()) {
            String url = sample.url() + "/hello";
            // Half of the honest are known before.
            for (int i = 0; i < HONEST; i++) {
                assertThat(caller.get(url, honest(i)).isPassed()).isTrue();
            }
            long before = sample.usedHeapMegabytes();
            Figures figures = new Figures("flooded");

            long begun = System.nanoTime();
            List<Answer> answers = floodAndAskHonestly(url);
            Duration took = Duration.ofNanos(System.nanoTime() - begun);

            figures.add(String.format(Locale.ROOT, "%d invented keys in %.1f s", FLOOD, took.toMillis() / 1e3));
            figures.addLatencies(
                    "honest clients meanwhile",
                    answers.stream().map(Answer::took).toList());
            assertThat(answers).allMatch(Answer::isPassed).hasSizeGreaterThan(10 * HONEST);
            assertThat(sample.isAlive()).isTrue();
            await().atMost(Duration.ofMinutes(2))
                    .pollInterval(Duration.ofSeconds(5))
                    .until(() -> sample.usedHeapMegabytes() <= before + 10);
            figures.add(
                    "heap after a collection: %d MB before, %d MB after".formatted(before, sample.usedHeapMegabytes()));
        }
    }

    /** Asks for as many honest clients who are known as for new ones, each at half of its limit, until the flood is over. */
    private List<Answer> floodAndAskHonestly(String url) throws Exception {
        Queue<Answer> answers = new ConcurrentLinkedQueue<>();
        Queue<RuntimeException> failures = new ConcurrentLinkedQueue<>();
        ScheduledExecutorService honest = Executors.newScheduledThreadPool(8);
        ExecutorService flood = Executors.newFixedThreadPool(CONNECTIONS);
        try {
            for (int i = 0; i < 2 * HONEST; i++) {
                int client = i;
                Runnable ask = () -> {
                    try {
                        answers.add(caller.get(url, honest(client)));
                    } catch (RuntimeException e) {
                        failures.add(e);
                    }
                };
                honest.scheduleAtFixedRate(ask, 10L * client, 2_000, TimeUnit.MILLISECONDS);
            }
            List<Flood> floods = IntStream.range(0, CONNECTIONS)
                    .mapToObj(i -> new Flood(url, FLOOD / CONNECTIONS, i))
                    .toList();
            for (Future<Integer> passed : flood.invokeAll(floods)) {
                // Each key is a client of its own, within its limit.
                assertThat(passed.get()).isEqualTo(FLOOD / CONNECTIONS);
            }
        } finally {
            flood.shutdownNow();
            honest.shutdown();
            assertThat(honest.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        }
        assertThat(failures).isEmpty();
        return List.copyOf(answers);
    }

    private static String[] honest(int client) {
        return key("honest-" + client);
    }
}
