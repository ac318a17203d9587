package io.ratelimit.sample;

import static io.ratelimit.sample.Caller.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.api.sync.RedisCommands;
import io.ratelimit.redis.RedisProcess;
import io.ratelimit.sample.Caller.Answer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The sample as it is started with {@code --redis}, and its server stopped, emptied of scripts and killed. */
@Tag("cluster")
class RedisIT {

    private static final Duration RECOVERY = Duration.ofSeconds(15);

    @TempDir
    private Path directory;

    private final Caller caller = new Caller();
    private RedisProcess redis;

    @BeforeEach
    void startServer() {
        redis = RedisProcess.start62();
    }

    @AfterEach
    void stopServer() {
        redis.close();
    }

    @ParameterizedTest
    @CsvSource({"open, 200", "closed, 503", "local, 200"})
    void aServerThatStandsStillHoldsNobodyUpAndIsWorkedWithAgain(String onFailure, int status) throws Exception {
        try (SampleProcess sample = start(
                "- { name: everyone, match: { path: /api/** }, storeTimeout: 100ms, onFailure: %s, limits: 5 per 1m }"
                        .formatted(onFailure))) {
            assertThat(passed(sample, "before", 8)).isEqualTo(5);
            redis.freeze();
            for (int i = 0; i < 100; i++) {
                Answer answer = ask(sample, "during-" + i);
                assertThat(answer.status()).isEqualTo(status);
                assertThat(answer.took()).isLessThan(Duration.ofMillis(i < 4 ? 1_000 : 100));
            }
            assertThat(sample.complaints("The shared store fails, onFailure answers"))
                    .hasSize(1);
            redis.thaw();
            await().atMost(RECOVERY).until(() -> ask(sample, "after").isPassed() && remaining(sample, "after") < 5);
            assertThat(passed(sample, "later", 8)).isEqualTo(5);
            assertThat(passed(sample, "before", 1)).isZero();
        }
    }

    @Test
    void scriptsThatAreForgottenAndAServerThatIsKilledGiveNoOtherAnswersThan200And429() throws Exception {
        try (SampleProcess sample = start("- { name: everyone, match: { path: /api/** }, limits: 1000/h }");
                Load load = new Load(2, thread -> ask(sample, "client-" + thread))) {
            TimeUnit.SECONDS.sleep(1);
            redis.on(RedisCommands::scriptFlush);
            TimeUnit.SECONDS.sleep(1);
            redis.kill();
            TimeUnit.SECONDS.sleep(2);
            redis.start();
            await().atMost(RECOVERY).until(() -> !lives().isEmpty());
            TimeUnit.SECONDS.sleep(1);
            load.close();
            assertThat(load.all()).isNotEmpty().allMatch(Load.Sample::isAnswered);
        }
    }

    @Test
    void noKeyLivesWithoutAnEndOrMuchLongerThanItIsOfUse() throws Exception {
        try (SampleProcess sample = start(
                "- { name: short, match: { path: /api/orders }, limits: 5 per 10s }",
                "- { name: long, match: { path: /api/reports }, limits: 10 per 1d }")) {
            ask(sample, "short");
            Map<String, Long> lives = lives();
            String client = onlyNewKey(lives, Map.of());
            assertThat(lives.get(client)).isBetween(2_000L, 120_000L);
            caller.get(sample.url() + "/api/reports", key("long"));
            String other = onlyNewKey(lives(), lives);
            assertThat(lives().get(other))
                    .isBetween(
                            Duration.ofHours(12).toMillis() - 1_000,
                            Duration.ofDays(2).toMillis());
            assertThat(lives().values()).allMatch(life -> life > 0);
            redis.on(commands -> commands.persist(client));
            assertThat(lives().get(client)).isEqualTo(-1);
            ask(sample, "short");
            assertThat(lives().get(client)).isBetween(2_000L, 120_000L);
        }
    }

    private SampleProcess start(String... rules) {
        RulesFile file = new RulesFile(directory, rules);
        return SampleProcess.start(
                        "--port", "" + FreePorts.consecutive(1), "--rules", file.toString(), "--redis", redis.uri())
                .awaitReady();
    }

    private Answer ask(SampleProcess sample, String client) {
        return caller.get(sample.url() + "/api/orders", key(client));
    }

    private long remaining(SampleProcess sample, String client) {
        return ask(sample, client).remaining();
    }

    private int passed(SampleProcess sample, String client, int requests) {
        int passed = 0;
        for (int i = 0; i < requests; i++) {
            passed += ask(sample, client).isPassed() ? 1 : 0;
        }
        return passed;
    }

    /** The keys of clients, and how many milliseconds they have to live. */
    private Map<String, Long> lives() {
        return redis.on(commands -> {
            Map<String, Long> lives = new TreeMap<>();
            for (String name : commands.keys("*:orders:*")) {
                lives.put(name, commands.pttl(name));
            }
            lives.keySet().removeIf(name -> name.endsWith(":hosts"));
            return lives;
        });
    }

    private static String onlyNewKey(Map<String, Long> keys, Map<String, Long> before) {
        List<String> newOnes =
                keys.keySet().stream().filter(name -> !before.containsKey(name)).toList();
        assertThat(newOnes).hasSize(1);
        return newOnes.get(0);
    }
}
