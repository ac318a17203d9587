package io.ratelimit.server.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ratelimit.server.process.Visit.Reply;
import io.ratelimit.server.web.FreePort;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The programs of the manual, run by their interpreters, ask a real daemon. */
@Tag("cluster")
@ParameterizedClass
@EnumSource(RecipesIT.Recipe.class)
class RecipesIT {

    /** The recipes' 100 ms for each of two steps, and what a busy machine adds. */
    private static final Duration DEADLINE = Duration.ofMillis(800);

    @TempDir
    private static Path directory;

    private static ServerProcess daemon;
    private static Program program;

    /** Whose program is asked. */
    @Parameter
    Recipe recipe;

    enum Recipe {
        PYTHON("python", "python3"),
        NODE("javascript", "node");

        private final String language;
        private final String interpreter;

        Recipe(String language, String interpreter) {
            this.language = language;
            this.interpreter = interpreter;
        }
    }

    @BeforeParameterizedClassInvocation
    static void start(Recipe recipe) throws IOException {
        assumeTrue(isInstalled(recipe.interpreter), recipe.interpreter + " is not installed");
        daemon = ServerProcess.daemonWithTokens(
                directory, ManualPage.named("recipes.md").block("yaml"));
        program = run(recipe);
        warmUp();
    }

    @AfterParameterizedClassInvocation
    static void stop() throws InterruptedException {
        if (program != null) {
            program.close();
        }
        if (daemon != null) {
            daemon.close();
        }
    }

    @Test
    void aLimitHoldsAndItsClientIsToldWhereItStands() throws Exception {
        Visit client = program.from("127.0.3.1");
        List<Integer> statuses = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Reply reply = client.get("/%6frders?page=" + i);
            statuses.add(reply.status());
            assertThat(reply.fields()).containsKeys("RateLimit", "RateLimit-Policy");
        }
        Reply refused = client.get("/orders");

        assertThat(statuses).containsOnly(200);
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.body()).contains("Too many requests");
        assertThat(refused.fields()).containsKeys("RateLimit", "RateLimit-Policy", "Retry-After");
        assertThat(program.from("127.0.3.2").get("/orders").status()).isEqualTo(200);
        assertThat(client.get("/elsewhere").status()).isEqualTo(200);
    }

    @Test
    void whatTheAnswerChargesIsSettled() throws Exception {
        Visit client = program.from("127.0.3.3");
        for (int i = 0; i < 3; i++) {
            assertThat(client.send("POST", "/login", "password=x").status()).isEqualTo(401);
        }
        assertThat(client.send("POST", "/login", "password=x").status()).isEqualTo(429);
        await().untilAsserted(() -> assertThat(daemon.metrics())
                .containsPattern("ratelimit_daemon_receipts 0(\\.0)?\n")
                .containsPattern(
                        "ratelimit_daemon_requests_seconds_count\\{path=\"/v1/settle\",status=\"2xx\"\\} [1-9]"));
    }

    @Test
    void requestsPassInTimeWhileTheDaemonIsFrozenOrKilledAndLimitsHoldAgainAfterwards() throws Exception {
        Visit client = program.from("127.0.3.4");
        int saidBefore = said().size();
        daemon.freeze();
        List<Reply> frozen = askOften(client);
        daemon.thaw();
        requireAllPassed(frozen);
        warmUp();
        daemon.kill();
        List<Reply> killed = askOften(client);
        daemon.restart();
        requireAllPassed(killed);
        warmUp();
        Visit other = program.from("127.0.3.5");
        for (int i = 0; i < 5; i++) {
            assertThat(other.get("/orders").status()).isEqualTo(200);
        }
        assertThat(other.get("/orders").status()).isEqualTo(429);
        List<String> told = said().subList(saidBefore, said().size());
        assertThat(told).hasSizeBetween(4, 12);
        for (int i = 0; i < told.size(); i++) {
            assertThat(told.get(i))
                    .as(String.join("\n", told))
                    .contains(i % 2 == 0 ? "ratelimit: no answer from the daemon (" : "the daemon answers again");
        }
        assertThat(told.size() % 2).as(String.join("\n", told)).isZero();
    }

    /** What the program has said of the daemon. */
    private static List<String> said() throws IOException {
        return Files.readAllLines(directory.resolve("said.log")).stream()
                .filter(line -> line.contains("ratelimit: "))
                .toList();
    }

    @Test
    void oddPathsLiftNoLimit() throws Exception {
        Visit client = program.from("127.0.3.6");
        for (String uri : List.of("//orders", "/orders/", "/%6Frders", "///orders/?x=//", "/orders?%zz")) {
            assertThat(client.get(uri).fields().get("RateLimit")).as(uri).isNotNull();
        }
        for (String uri : List.of("orders", "*", "http://x/orders", "/%ff", "/%zz", "/%00", "/%ed%a0%80")) {
            client.get(uri);
            assertThat(client.get("/orders").status()).as(uri).isIn(429);
        }
    }

    private static List<Reply> askOften(Visit client) throws IOException {
        List<Reply> replies = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            replies.add(client.get("/orders"));
        }
        return replies;
    }

    private static void requireAllPassed(List<Reply> replies) {
        assertThat(replies).allMatch(reply -> reply.status() == 200);
        assertThat(replies).extracting(Reply::time).allMatch(time -> time.compareTo(DEADLINE) < 0);
        assertThat(replies.stream().filter(reply -> reply.time().toMillis() >= 90))
                .hasSizeLessThan(10);
    }

    private static Program run(Recipe recipe) throws IOException {
        Path file = Files.writeString(
                directory.resolve("recipe." + recipe.language),
                ManualPage.named("recipes.md").block(recipe.language));
        int port = FreePort.find();
        ProcessBuilder builder = new ProcessBuilder(recipe.interpreter, file.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("said.log").toFile());
        builder.environment().put("PORT", Integer.toString(port));
        builder.environment().put("RATELIMIT_URL", daemon.url().toString());
        builder.environment().put("RATELIMIT_TOKEN", ServerProcess.TOKEN);
        Program program = new Program(builder.start(), port);
        await().atMost(Duration.ofSeconds(20)).until(program::isReady);
        return program;
    }

    private static boolean isInstalled(String interpreter) {
        try {
            return new ProcessBuilder(interpreter, "--version")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** A daemon that has just started is slower than the recipes wait, with its first refusals and settlements as well. */
    private static void warmUp() {
        Visit stranger = program.from("127.0.4.1");
        await().atMost(Duration.ofSeconds(30)).until(() -> {
            boolean decided = true;
            for (int i = 0; i < 20; i++) {
                decided &= stranger.get("/orders").fields().containsKey("RateLimit")
                        && stranger.send("POST", "/login", "x").fields().containsKey("RateLimit");
            }
            return decided
                    && stranger.get("/orders").status() == 429
                    && stranger.send("POST", "/login", "x").status() == 429;
        });
    }

    private record Program(Process process, int port) implements AutoCloseable {

        boolean isReady() {
            try (Socket socket = new Socket("127.0.0.1", port)) {
                return socket.isConnected();
            } catch (IOException e) {
                return !process.isAlive();
            }
        }

        Visit from(String address) {
            return new Visit(address, port);
        }

        @Override
        public void close() throws InterruptedException {
            process.destroyForcibly().waitFor();
        }
    }
}
