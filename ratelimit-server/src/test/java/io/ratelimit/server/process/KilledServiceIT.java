package io.ratelimit.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.server.web.RunningService;
import io.ratelimit.server.web.RunningService.Answer;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The service is killed while somebody publishes. */
@Tag("cluster")
class KilledServiceIT {

    private static final int KILLS = 5;

    @TempDir
    Path directory;

    @Test
    void losesNoAcknowledgedVersionInAFileOfH2() throws Exception {
        losesNoAcknowledgedVersion("jdbc:h2:file:" + directory.resolve("rules"));
    }

    @Test
    void losesNoAcknowledgedVersionInPostgres() throws Exception {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start()) {
            losesNoAcknowledgedVersion(postgres.getJdbcUrl("postgres", "postgres"));
        }
    }

    private void losesNoAcknowledgedVersion(String database) throws Exception {
        Map<Long, String> acknowledged = new TreeMap<>();
        for (int kill = 0; kill < KILLS; kill++) {
            try (ServerProcess service = ServerProcess.start(directory, "--db", database)) {
                requireAll(service.client(), acknowledged);
                int before = acknowledged.size();
                CountDownLatch published = new CountDownLatch(1);
                Thread killer = killer(service, published);
                publishUntilKilled(service.client(), acknowledged, published);
                killer.join();
                assertThat(acknowledged.size())
                        .as("publications of run %d", kill)
                        .isGreaterThan(before);
            }
        }
        try (ServerProcess service = ServerProcess.start(directory, "--db", database)) {
            requireAll(service.client(), acknowledged);
        }
    }

    /** Kills while one version after the other is published, at no moment in particular. */
    private static Thread killer(ServerProcess service, CountDownLatch published) {
        Thread killer = new Thread(() -> {
            try {
                published.await();
                Thread.sleep(ThreadLocalRandom.current().nextInt(600));
                service.kill();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        killer.start();
        return killer;
    }

    private static void publishUntilKilled(
            RunningService client, Map<Long, String> acknowledged, CountDownLatch published) {
        try {
            for (int i = 0; ; i++) {
                String rules = "service: orders\nrules:\n  - { name: everyone, limits: "
                        + ThreadLocalRandom.current().nextInt(1, 1_000_000) + "/s }\n# " + i + "\n";
                Answer answer = client.publish("orders", rules);
                if (answer.status() == 200) {
                    acknowledged.put(answer.json().get("number").asLong(), rules);
                    published.countDown();
                } else {
                    // Our own limits, perhaps: whoever publishes so fast waits.
                    assertThat(answer.status()).as(answer.toString()).isEqualTo(429);
                }
            }
        } catch (UncheckedIOException killed) {
            assertThat(killed).hasMessageNotContaining("timed out");
        }
    }

    private static void requireAll(RunningService client, Map<Long, String> acknowledged) {
        for (Map.Entry<Long, String> version : acknowledged.entrySet()) {
            Answer answer =
                    client.getPatiently("/v1/services/orders/versions/" + version.getKey() + "/rules", client.admin());
            assertThat(answer.body()).isEqualTo(version.getValue());
        }
    }
}
