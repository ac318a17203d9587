package io.ratelimit.sample;

import static io.ratelimit.sample.Caller.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sample with the rules service beside it, as {@code mvn -Pdemo} runs them. */
@Tag("cluster")
class RulesServiceIT {

    private static final Duration A_SECOND = Duration.ofSeconds(1);
    private static final Duration SOON = Duration.ofSeconds(20);

    private final Caller caller = new Caller();
    private final HttpClient client = HttpClient.newHttpClient();

    @TempDir
    private Path directory;

    @Test
    void nodesFollowTheServiceGoOnWithoutItAndTakeItWithThem() throws Exception {
        int port = FreePorts.consecutive(3);
        int servicePort = FreePorts.consecutive(1);
        ProcessHandle service;
        try (SampleProcess sample = start(port, servicePort)) {
            String console = sample.out().get(0);
            assertThat(console).startsWith("console http://127.0.0.1:" + servicePort + "  sign in with rlt_");
            String token = console.substring(console.indexOf("rlt_"));
            service = sample.children().get(0);

            publish(servicePort, token, "7");
            await().atMost(A_SECOND)
                    .pollInterval(Duration.ofMillis(10))
                    .until(() -> sample.urls().stream().allMatch(url -> limit(url) == 7));

            service.destroyForcibly();
            await().atMost(SOON)
                    .until(() -> sample.complaints("cannot be retrieved").size() >= 1);
            assertThat(sample.urls()).allMatch(url -> limit(url) == 7);
        }
    }

    @Test
    void theServiceEndsWithTheSampleHoweverThatEnds() throws Exception {
        int port = FreePorts.consecutive(3);
        try (SampleProcess sample = start(port, FreePorts.consecutive(1))) {
            ProcessHandle service = sample.children().get(0);

            sample.signal("KILL");

            await().atMost(SOON).until(() -> !service.isAlive());
        }
    }

    private SampleProcess start(int port, int servicePort) {
        return SampleProcess.start(
                        List.of("-Djava.io.tmpdir=" + directory),
                        "--host-only",
                        "--nodes",
                        "3",
                        "--port",
                        "" + port,
                        "--rules-service",
                        System.getProperty("server.jar"),
                        "--rules-service-port",
                        "" + servicePort)
                .awaitReady();
    }

    private void publish(int servicePort, String token, String burst) throws Exception {
        String rules =
                RulesFile.document("- { name: everyone, match: { path: /api/orders/** }, limits: " + burst + "/h }");
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + servicePort + "/v1/services/orders/rules"))
                        .header("Authorization", "Bearer " + token)
                        .header("If-Match", "*")
                        .PUT(HttpRequest.BodyPublishers.ofString(rules))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    private long limit(String url) {
        return caller.get(url + "/api/orders", key("probe-" + System.nanoTime()))
                .limit();
    }
}
