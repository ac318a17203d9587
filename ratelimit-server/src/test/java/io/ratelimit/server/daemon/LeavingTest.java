package io.ratelimit.server.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.server.web.RawConnection;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A daemon that stops, and callers that do not know it yet. */
class LeavingTest {

    private static final String QUESTION = "{\"path\":\"/api\",\"user\":\"alice\"}";
    private static final String REQUEST =
            "POST /v1/decide HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" + "Content-Length: "
                    + QUESTION.length() + "\r\n\r\n" + QUESTION;

    @TempDir
    private Path directory;

    private RunningDaemon daemon;

    @BeforeEach
    void start() {
        daemon = RunningDaemon.start(
                directory, "service: shop\nrules:\n  - { name: everyone, key: user, limits: 1000000/h }\n");
    }

    @AfterEach
    void stop() {
        daemon.close();
    }

    @Test
    void whoAsksOnAConnectionThatItHasIsAnsweredAndToldThatItEnds() throws Exception {
        try (RawConnection kept = new RawConnection(daemon.at("/").getPort())) {
            kept.send(REQUEST);
            assertThat(kept.answer()).startsWith("HTTP/1.1 200 ").doesNotContain("Connection: close");

            CompletableFuture<Void> stopped = CompletableFuture.runAsync(daemon::close);
            String answer;
            do {
                kept.send(REQUEST);
                answer = kept.answer();
                assertThat(answer).startsWith("HTTP/1.1 200 ");
            } while (!answer.contains("Connection: close"));
            stopped.join();
        }
    }
}
